#!/bin/sh
# Runs the first hook client there is: hook.sh AGENT. Fails open: no client, no harm.
# Shell builtins only, because each process costs a prompt a millisecond.
#
# hook.sh AGENT --python ... is how the native client hands an event to the Python one.

case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
agent=$1
[ -n "$agent" ] || exit 0
shift

python() { # interpreter, arguments of hook.py...
    [ -x "$1" ] && [ -r "$here/hook.py" ] || return 0
    interpreter=$1
    shift
    exec "$interpreter" -I -S "$here/hook.py" "$@"
}

if [ -n "$REVERIE_HOME" ]; then
    home=$REVERIE_HOME
elif [ "${XDG_DATA_HOME#/}" != "$XDG_DATA_HOME" ]; then
    home=$XDG_DATA_HOME/reverie
elif [ -d /System/Library/CoreServices ]; then
    home="$HOME/Library/Application Support/reverie"
else
    home=$HOME/.local/share/reverie
fi

client=
[ -r "$home/hook-client" ] && IFS= read -r client <"$home/hook-client"
case $client in
/*/python*)
    recorded=$client
    ;;
/*)
    recorded=
    if [ "$1" != --python ] && [ -x "$client" ]; then
        # Not exec: where the file cannot run (126, another machine's) Python still can.
        "$client" "$agent" "$here" 2>/dev/null
        [ $? -lt 126 ] && exit 0
    fi
    ;;
esac
[ "$1" = --python ] && shift

[ -n "$recorded" ] && python "$recorded" "$agent" "$@"
python "$here/../.venv/bin/python" "$agent" "$@"
# Never a version manager's shim, which costs seven interpreters; and not the /usr/bin/python3
# of a Mac, which opens a dialog when the command line tools are missing.
if [ -d /System/Library/CoreServices ]; then
    python /opt/homebrew/bin/python3 "$agent" "$@"
    python /usr/local/bin/python3 "$agent" "$@"
    python /Library/Developer/CommandLineTools/usr/bin/python3 "$agent" "$@"
else
    python /usr/bin/python3 "$agent" "$@"
    python /usr/local/bin/python3 "$agent" "$@"
fi
exit 0
