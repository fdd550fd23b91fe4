# Reads what to clean up, one line each, until the JVM on the other end of the pipe is gone:
#   folder PATH     remove this folder
#   postgres PATH   stop the PostgreSQL server on this data folder
#   process PID     kill this process
#   ended PID       this process has ended, leave its number alone
# Ctrl-C reaches this shell as well; it must stay until its work is done.
trap '' INT TERM HUP

folder=
postgres=
processes=' '
while read -r what value; do
    case $what in
    folder) folder=$value ;;
    postgres) postgres=$value ;;
    process) processes="$processes$value " ;;
    ended) processes=$(printf '%s' "$processes" | sed "s/ $value / /") ;;
    esac
done

for pid in $processes; do
    kill -9 "$pid"
done

tries=0
while [ -n "$folder" ] && [ -e "$folder" ] && [ $tries -lt 100 ]; do
    if [ -n "$postgres" ] && [ -s "$postgres/postmaster.pid" ]; then
        pid=$(head -n 1 "$postgres/postmaster.pid")
        # An immediate shutdown at first, so that no shared memory is left.
        if [ $tries -lt 30 ]; then
            kill -QUIT "$pid"
        else
            kill -9 "$pid"
        fi
        waited=0
        while kill -0 "$pid" && [ $waited -lt 10 ]; do
            sleep 0.1
            waited=$((waited + 1))
        done
        tries=$((tries + 10))
    else
        rm -rf "$folder"
        tries=$((tries + 1))
        [ ! -e "$folder" ] || sleep 0.1
    fi
done
[ -z "$folder" ] || rm -rf "$folder"
