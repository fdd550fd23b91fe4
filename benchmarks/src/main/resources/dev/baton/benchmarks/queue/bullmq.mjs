// One measurement of BullMQ: the work comes as JSON in the first argument, the figures leave as one line of JSON.
//
//   kind         BULK, SINGLE, PROCESS, LATENCY or WAITING
//   port         Redis, without delay; the queue is filled through it
//   workerPort   Redis as the worker reaches it; the same, or a proxy in front of it
//   jobs         timed; warmUp: done before that in the same way and in the same process, not timed
//   concurrency  of the worker; bulk: jobs per call; flights: calls under way at once
//   trace        text that brings the payload to its size
//
// Connections are made before the time begins, the data of the jobs too. A job counts as processed when BullMQ says
// `completed`, which is after Redis said so.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

const work = JSON.parse(process.argv[2]);
const NAME = 'capture-payment';
const seconds = (since) => Number(process.hrtime.bigint() - since) / 1e9;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const connection = (port) => ({ host: '127.0.0.1', port, maxRetriesPerRequest: null });

// removeOnComplete: the job leaves Redis at once, as it does in Baton; keeping the last ones makes BullMQ slower.
const options = () => ({ jobId: randomUUID(), attempts: 8, removeOnComplete: true });
const data = () => ({ eventId: randomUUID(), traceId: work.trace, payload: { orderId: randomUUID() } });
const newJobs = (count) => Array.from({ length: count }, () => ({ name: NAME, data: data(), opts: options() }));

async function withQueue(use) {
  const queue = new Queue('b' + randomUUID(), { connection: connection(work.port) });
  await queue.waitUntilReady();
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}

async function addBulk(queue, jobs) {
  let next = 0;
  const flight = async () => {
    while (next < jobs.length) {
      const from = next;
      next += work.bulk;
      await queue.addBulk(jobs.slice(from, next));
    }
  };
  await Promise.all(Array.from({ length: work.flights }, flight));
}

const bulk = (count) => withQueue(async (queue) => {
  const jobs = newJobs(count);
  const began = process.hrtime.bigint();
  await addBulk(queue, jobs);
  const rate = count / seconds(began);
  return { rate, processed: await queue.getWaitingCount() };
});

const single = (count) => withQueue(async (queue) => {
  const jobs = newJobs(count);
  const began = process.hrtime.bigint();
  for (const job of jobs) {
    await queue.add(job.name, job.data, job.opts);
  }
  const rate = count / seconds(began);
  return { rate, processed: await queue.getWaitingCount() };
});


const processing = (count) => withQueue(async (queue) => {
  await addBulk(queue, newJobs(count));
  const worker = new Worker(queue.name, async () => {}, {
    connection: connection(work.workerPort), concurrency: work.concurrency, autorun: false });
  await worker.waitUntilReady();
  const ids = [];
  const before = await redis.info('all');
  const began = process.hrtime.bigint();
  const all = new Promise((resolve) => worker.on('completed', (job) => {
    if (ids.push(job.id) === count) {
      resolve();
    }
  }));
  const running = worker.run();
  await all;
  const rate = count / seconds(began);
  const after = await redis.info('all');
  await worker.close();
  await running;
  return { rate, before, after, processed: ids.length, distinct: new Set(ids).size };
});

const latency = (count) => withQueue(async (queue) => {
  let started;
  const worker = new Worker(queue.name, async () => started(process.hrtime.bigint()), {
    connection: connection(work.workerPort), concurrency: work.concurrency });
  await worker.waitUntilReady();
  const micros = [];
  for (let i = 0; i < count; i++) {
    // The worker has found nothing and waits.
    await pause(5);
    const completed = new Promise((resolve) => worker.once('completed', resolve));
    const start = new Promise((resolve) => { started = resolve; });
    const began = process.hrtime.bigint();
    await queue.add(NAME, data(), options());
    micros.push(Number((await start) - began) / 1e3);
    await completed;
  }
  await worker.close();
  return { micros, processed: micros.length };
});

const waiting = (count) => withQueue(async (queue) => {
  const jobs = newJobs(count);
  await addBulk(queue, jobs);
  return { processed: await queue.getWaitingCount(), payloadBytes: JSON.stringify(jobs[0].data).length };
});

// Whoever started this holds the other end.
process.stdin.on('end', () => process.exit(1)).resume();

const redis = new Redis(connection(work.port));
const kinds = { bulk, single, process: processing, latency, waiting };
const measure = kinds[work.kind.toLowerCase()];
if (work.warmUp > 0) {
  await measure(work.warmUp);
}
process.stdout.write(JSON.stringify(await measure(work.jobs)) + '\n');
process.exit(0);
