/* The relay's hand-off as it is built: one shard, two queues, two relays, routes, chunks, healing in bounded steps.

   A queue remembers number (tok) and ids (mem) of the last batch, the ids of the one before until the batch is whole (old),
   and up to which number it has all that was published (upto). A batch goes in chunks of one event, each an atomic
   compare-and-set on the number and on how many chunks of it were taken (done); only the last one drops the old ids and
   lifts upto. What the relay read in the memory is what it is, if the version is the same: the relay says what to skip (M).
   A queue without events in a batch is not touched. A queue that lacks something gets one published batch per
   step, and keeps the ids that are not published up to there. Each queue goes back in time by itself. A relay dies or is
   stopped at any step; a stopped one goes on handing over, but it can neither publish nor draw a number. REFUSE times an event
   of a batch is refused, whether a queue remembers it already or not: it is parked with the commit of the others, and comes in a
   later batch; a queue that remembers it is told to go on doing so. REPLAY times an operator makes a published event unpublished
   again, under the lock and with a new number; a queue that remembers it from before has to forget it first, in a step of its own.

   SKIP=0     what the queue is known to remember is not skipped
   REPEAT=0   a chunk that comes twice is taken twice; TWICE chunks come twice
   CAS=0      no compare-and-set                 VERSION=0  only the number is compared
   COUNT=0    later chunks are not counted (3)   OLD=0      the first chunk drops the old ids
   EARLY=1    the first chunk lifts upto         REDO=0     the unsettled batch is not redone first
   KEEP=1     a step of healing keeps only what is unpublished; KEEP=0: nothing
   FORGET=0   a queue does not forget what is replayed
   STAMP=0    what is replayed keeps its number
   PARKED=0   a batch does not keep what was refused; PARKED=1: it keeps what was, but not what is refused with it

   spin -a -DCR=1 -DBATCH=2 relay.pml && gcc -O2 -DSAFETY -DCOLLAPSE -DMEMLIM=9000 -o pan pan.c && ./pan -m8000000 */
#ifndef N
#define N 3
#endif
#define NQ 2
#ifndef BATCH
#define BATCH 2
#endif
#ifndef CR
#define CR 1
#endif
#ifndef LOSSES
#define LOSSES 1
#endif
#ifndef CAS
#define CAS 1
#endif
#ifndef REDO
#define REDO 1
#endif
#ifndef OLD
#define OLD 1
#endif
#ifndef KEEP
#define KEEP 2
#endif
#ifndef VERSION
#define VERSION 1
#endif
#ifndef COUNT
#define COUNT 1
#endif
#ifndef SKIP
#define SKIP 1
#endif
#ifndef REPEAT
#define REPEAT 1
#endif
#ifndef TWICE
#define TWICE 1
#endif
#ifndef EARLY
#define EARLY 0
#endif
#ifndef REFUSE
#define REFUSE 0
#endif
#ifndef PARKED
#define PARKED 2
#endif
#ifndef REPLAY
#define REPLAY 0
#endif
#ifndef FORGET
#define FORGET 1
#endif
#ifndef STAMP
#define STAMP 1
#endif
#define ALL ((1<<N)-1)
byte committed=0, published=0, parked=0, pb[N];
byte got[NQ*N], mem[NQ], old[NQ], tok[NQ], done[NQ], upto[NQ];
byte sgot[NQ*N], smem[NQ], sold[NQ], stok[NQ], sdone[NQ], supto[NQ];
byte R[NQ];                          /* which events are routed to the queue */
byte twice=0, next=0; bool lock=0, ready=0; byte crashes=0, losses=0, refusals=0;
byte replays=0, asked[N];            /* how often each event was replayed */

/* one chunk: the events of C; keep: ids to be remembered although they are not in the batch */
inline chunk(q,c,C,K,t,k,kd,M,last,up) { d_step {
  if
  :: (CAS && !(c==0 && tok[q]==k && (done[q]==kd || !VERSION)) && !(tok[q]==t && (done[q]>=c || !COUNT))) -> ok=0
  :: else -> ok=1; i=0;
     do
     :: i<N -> if :: (C & (1<<i)) && !(SKIP && (M & (1<<i))) && !(REPEAT && tok[q]==t && done[q]>c) -> got[q*N+i]++; assert(got[q*N+i]<=1+asked[i]) :: else fi; i++
     :: else -> break
     od;
     if :: tok[q] != t -> if :: OLD -> old[q]=old[q]|mem[q] :: else fi; mem[q]=0; done[q]=0 :: else fi;
     mem[q]=mem[q]|C|K; tok[q]=t; done[q]=(done[q]>c -> done[q] : c+1);
     if :: last -> old[q]=0; upto[q]=up :: EARLY && !last -> upto[q]=up :: else fi
  fi; i=0 } }

active [2] proctype Relay() {
  byte B, U, L, C, S, F, c, i, n, t, q, up, know[NQ], knowd[NQ], m[NQ], ku[NQ]; bool ok, fresh, last, heals, due;
  ready;
  do
  :: published==ALL && losses==LOSSES && replays==REPLAY && !lock ->
     d_step { L=0; q=0; do :: q<NQ -> i=0; do :: i<N -> if :: (R[q]&(1<<i)) && pb[i]>upto[q] -> L=1 :: else fi; i++ :: else -> break od; q++ :: else -> break od; q=0; i=0 };
     if :: L==0 -> break :: else fi
  :: atomic { !lock -> lock=1 };
     fresh=1; U=0; q=0;
     do :: q<NQ -> d_step { know[q]=tok[q]; knowd[q]=done[q]; m[q]=mem[q]|old[q]; ku[q]=upto[q]; U=U|(m[q] & ~published & ALL) }; q++ :: else -> break od;
     /* a queue that remembers what was replayed since: it forgets that */
     q=0;
     do
     :: REPLAY && FORGET && q<NQ ->
        d_step { S=0; i=0; do :: i<N -> if :: (m[q]&(1<<i)) && !(published&(1<<i)) && asked[i] && pb[i]>know[q] -> S=S|(1<<i) :: else fi; i++ :: else -> break od; i=0 };
        if
        :: S!=0 -> atomic { next++; t=next }; S=m[q] & ~S; fresh=1;
           if :: crashes<CR -> atomic { crashes++; lock=0; goto again }
              :: crashes<CR -> atomic { crashes++; lock=0 }; fresh=0
              :: skip fi;
           up=ku[q]; last=1;
           chunk(q,0,0,S,t,know[q],knowd[q],m[q],last,up);
           if :: fresh -> lock=0 :: else fi; goto again
        :: else -> q++ fi
     :: else -> break
     od;
     /* a queue that lost something: the lowest number that it lacks */
     heals=0; B=0;
     d_step { q=0; do
       :: q<NQ && !heals -> up=255; i=0;
          do :: i<N -> if :: (published&(1<<i)) && (R[q]&(1<<i)) && pb[i]>ku[q] && pb[i]<up -> up=pb[i] :: else fi; i++ :: else -> break od;
          if :: up!=255 -> heals=1; i=0; do :: i<N -> if :: (published&(1<<i)) && (R[q]&(1<<i)) && pb[i]==up -> B=B|(1<<i) :: else fi; i++ :: else -> break od
             :: else -> q++ fi
       :: else -> break od; i=0 };
     if :: heals -> skip
        :: !heals && REDO && (U & ~parked)!=0 -> B=U & ~parked; q=0
        :: else -> if :: due=0 :: parked!=0 -> due=1 fi; d_step { B=0; n=0; i=0; do :: i<N && n<BATCH -> if :: (committed&(1<<i)) && !(published&(1<<i)) && (due || !(parked&(1<<i))) -> B=B|(1<<i); n++ :: else fi; i++ :: else -> break od; i=0 }; q=0 fi;
     if :: B==0 -> lock=0; goto again :: else -> atomic { next++; t=next } fi;
     F=0;
     if :: !heals && refusals<REFUSE -> i=0; do :: i<N-1 -> i++ :: break od;
           atomic { if :: (B & (1<<i)) -> refusals++; F=(1<<i); B=B & ~F :: else fi; i=0 }
        :: skip fi;
     do
     :: q<NQ ->
        L=B&R[q]; c=0;                        /* L: what is left of this queue's part */
        do
        :: L!=0 ->
           d_step { i=0; do :: !(L&(1<<i)) -> i++ :: else -> break od; C=(1<<i); L=L&~C; i=0; last=(L==0) };
           if :: crashes<CR && fresh -> atomic { crashes++; lock=0; goto again }
              :: crashes<CR && fresh -> atomic { crashes++; lock=0 }; fresh=0
              :: skip fi;
           d_step { S=0; i=0; n=0;
             do :: i<N -> if :: heals && KEEP && last && (m[q] & (1<<i)) && (!(published&(1<<i)) || (KEEP==2 && pb[i]>up)) -> S=S|(1<<i)
                :: !heals && last && (m[q] & ~published & ((PARKED>0 -> parked : 0) | (PARKED==2 -> F : 0)) & (1<<i)) -> S=S|(1<<i) :: else fi; i++ :: else -> break od;
             i=0; if :: heals -> skip :: else -> up=t fi };
           chunk(q,c,C,S,t,know[q],knowd[q],m[q],last,up);
           if :: TWICE && twice<TWICE && ok -> twice++; chunk(q,c,C,S,t,know[q],knowd[q],m[q],last,up) :: skip fi;
           if :: !ok -> if :: fresh -> lock=0 :: else fi; goto again :: else fi;
           c++
        :: else -> break
        od;
        if :: heals -> if :: fresh -> lock=0 :: else fi; goto again :: else q++ fi
     :: else -> break
     od;
     if :: !fresh -> goto again
        :: fresh && crashes<CR -> atomic { crashes++; lock=0 }
        :: fresh -> d_step { i=0; do :: i<N -> if :: (B & (1<<i)) && !(published&(1<<i)) -> pb[i]=t :: else fi; i++ :: else -> break od; i=0; published = published | B; parked=(parked & ~B) | F; lock=0 } fi;
again: skip
  od }

active proctype Writers() {
  byte j;
  d_step { R[0]=ALL; R[1]=ALL & ~1; if :: N>2 -> R[0]=ALL & ~4 :: else fi };   /* the first only to one queue, the third only to the other */
  ready=1;
  j=0;
  do
  :: j==N -> break
  :: j<N -> committed=committed|(1<<j); j++
  od }

active proctype Redis() {
  byte k, q;
  do
  :: losses<LOSSES -> if :: q=0 :: q=1 fi; d_step { k=0; do :: k<N -> sgot[q*N+k]=got[q*N+k]; k++ :: else -> break od; smem[q]=mem[q]; sold[q]=old[q]; stok[q]=tok[q]; sdone[q]=done[q]; supto[q]=upto[q]; k=0 }
  :: losses<LOSSES -> if :: q=0 :: q=1 fi; d_step { losses++; k=0; do :: k<N -> got[q*N+k]=sgot[q*N+k]; k++ :: else -> break od; mem[q]=smem[q]; old[q]=sold[q]; tok[q]=stok[q]; done[q]=sdone[q]; upto[q]=supto[q]; k=0 }
  :: losses==LOSSES -> break
  od }

active proctype Operator() {
  byte e;
  do
  :: replays<REPLAY -> if :: e=0 :: e=N-1 fi;
     atomic { !lock && (published & (1<<e)) -> published=published & ~(1<<e); if :: STAMP -> next++; pb[e]=next :: else fi; asked[e]++; replays++ }
  :: replays==REPLAY -> break
  od }

#define HAS(q,e) (!(R[q]&(1<<e)) || pb[e]<=upto[q])
#define HASALL(q) (HAS(q,0) && HAS(q,1) && (N<3 || HAS(q,(N-1))))
active proctype Check() { byte k;
  (ready && published==ALL && losses==LOSSES && replays==REPLAY && !lock && HASALL(0) && HASALL(1));
  /* a queue that went back gets what was replayed once more than it has it, or once */
  d_step { k=0; do
    :: k<N -> assert(got[k]<=((R[0]>>k)&1)*(1+asked[k])); assert(got[k]>=((R[0]>>k)&1)*(LOSSES -> 1 : 1+asked[k]));
       assert(got[N+k]<=((R[1]>>k)&1)*(1+asked[k])); assert(got[N+k]>=((R[1]>>k)&1)*(LOSSES -> 1 : 1+asked[k])); k++
    :: else -> break od } }
