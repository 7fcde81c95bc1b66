#!/bin/sh
# Runs the tool server for an agent, or with words of its own that command (tools.sh pause --session): by
# the command that the data home records, else the checkout's, else the reverie on PATH or in ~/.local/bin,
# as hooks start the daemon. Nothing runs that somebody else could have put there.

case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
. "$here/ownership.sh"

if [ -n "$REVERIE_HOME" ]; then
    home=$REVERIE_HOME
elif [ "${XDG_DATA_HOME#/}" != "$XDG_DATA_HOME" ]; then
    home=$XDG_DATA_HOME/reverie
elif [ -d /System/Library/CoreServices ]; then
    home="$HOME/Library/Application Support/reverie"
else
    home=$HOME/.local/share/reverie
fi
me=$(command -p id -u) && group=$(command -p id -g) || exit 1
words=${*:-mcp}

serve() { # program, arguments...
    case $1 in /*) ;; *) return ;; esac
    [ -f "$1" ] && [ -x "$1" ] || return
    if ! trusts_path "$1"; then
        printf 'reverie: the tool server is not started: %s\n' "$why" >&2
        exit 1
    fi
    exec "$@" $words
}

if [ -r "$home/command" ] && trusts_path "$home" && trusts_path "$home/command"; then
    set --
    while IFS= read -r word; do
        set -- "$@" "$word"
    done <"$home/command"
    [ $# -gt 0 ] && serve "$@"
fi
serve "$(cd -P -- "$here/.." && pwd -P)/.venv/bin/reverie"
found=$(command -v reverie) && serve "$found"
serve "$HOME/.local/bin/reverie"
exec /bin/sh "$here/notice.sh" tools "$home"
