#!/bin/sh
# Runs the first hook client there is: hook.sh AGENT. Fails open: no client, no harm.
# Shell builtins only, because each process costs a prompt a millisecond.
#
# hook.sh AGENT --python ... is how the native client hands an event to the Python one.
#
# Where Claude Code asks another endpoint than the usual, AGENT becomes claude@ENDPOINT: sessions of a
# gateway or a cloud are not read by an engine that would ask somebody else (daemon/engines/accounts.py).
# What runs it instead of a person at a terminal comes behind that: claude@ENDPOINT!sdk-py.
#
# A recorded client runs only if nobody else could have put it there (ownership.sh). To look costs two
# processes, so what was trusted is sealed: see sealed().

case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
agent=$1
[ -n "$agent" ] || exit 0
shift

is_on() {
    case $1 in '' | 0 | [Ff]alse | FALSE | [Nn]o | [Oo]ff) return 1 ;; esac
}

if [ "$agent" = claude ]; then
    if is_on "$CLAUDE_CODE_USE_BEDROCK"; then
        agent=claude@bedrock
    elif is_on "$CLAUDE_CODE_USE_VERTEX"; then
        agent=claude@vertex
    elif is_on "$CLAUDE_CODE_USE_FOUNDRY"; then
        agent=claude@foundry
    elif [ -n "$ANTHROPIC_BASE_URL" ]; then # the host alone: an address may hold a credential
        host=${ANTHROPIC_BASE_URL#*://}
        host=${host%%[/?#]*}
        agent=claude@${host##*@}
    fi
    case $CLAUDE_CODE_ENTRYPOINT in
    '' | cli | *[!A-Za-z0-9_-]*) ;;
    *)
        [ "$agent" = claude ] && agent=claude@
        agent=$agent!$CLAUDE_CODE_ENTRYPOINT
        ;;
    esac
fi

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

# The lowest folder above the home that is not this user's, or is a link.
border() {
    above=${home%/*}
    while [ -O "$above" ] && ! [ -h "$above" ]; do
        above=${above%/*}
    done
}

# Whether the client was trusted, and nobody has touched it, its folder or its record since: whoever
# changes a file of mine makes it newer than the seal, and a file of theirs is not mine.
sealed() {
    IFS= read -r top <"$seal" && [ -O "$seal" ] && [ -O "$home" ] && ! [ -h "$home" ] || return 1
    [ "$home/hook-client" -nt "$seal" ] && return 1
    [ "$client" -nt "$seal" ] && return 1
    [ "${client%/*}" -nt "$seal" ] && return 1
    case $client in /usr/*) ;; *) [ -O "$client" ] && [ -O "${client%/*}" ] || return 1 ;; esac
    border
    [ "$above" = "$top" ]
}

# Whether the recorded client may run; only our own ones are sealed, and the seal holds the border.
trusted() {
    case $client in */reverie-hook | /*/python*) ours=yes ;; *) ours= ;; esac
    [ -n "$ours" ] && [ -r "$seal" ] && sealed && return 0
    [ -r "$here/ownership.sh" ] && . "$here/ownership.sh" && trusts_client || return 1
    [ -n "$ours" ] && ! [ -h "$seal" ] || return 0
    border
    (umask 077 && printf '%s\n' "$above" >"$seal") 2>/dev/null
    return 0
}

client=
seal=$home/hook-client.trusted
[ -f "$home/hook-client" ] && [ -r "$home/hook-client" ] && IFS= read -r client <"$home/hook-client"
recorded=
case $client in
/*/python*)
    trusted && recorded=$client
    ;;
/*)
    if [ "$1" != --python ] && [ -x "$client" ] && trusted; then
        # Not exec: where the file cannot run (126, another machine's) Python still can.
        case $client in
        */reverie-hook) "$client" "$agent" "$here" sealed ;;
        *) "$client" "$agent" "$here" 2>/dev/null ;;
        esac
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
# Nobody carries the event. A session's start is told so.
[ "${agent%%@*}" = claude ] && [ -r "$here/notice.sh" ] && event=$(command -p head -c 4096) || exit 0
case $event in *'"SessionStart"'*) exec /bin/sh "$here/notice.sh" missing "$home" ;; esac
exit 0
