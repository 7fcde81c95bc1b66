#!/bin/sh
# What the person who begins a session is told, as a hook's answer that the client does not show to the model:
# notice.sh missing HOME: no reverie is installed, and the one command that installs it from this folder;
# notice.sh first: what is recorded from now on, for how long, and how to stop.
# notice.sh off: nothing is, because recording is switched off here, and how to go on.
# notice.sh tools HOME says on standard error what is missing: there the client reads why a server did not start.

case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
root=$(cd -P -- "$here/.." && pwd -P) || exit 0
home=$2

if [ "$1" = off ]; then
    printf '{"systemMessage":"reverie records nothing here: it is paused, or switched off for this folder.'
    printf ' reverie resume ends a pause, reverie status says what is off."}'
    exit
fi
if [ "$1" = first ]; then
    printf '{"systemMessage":"reverie remembers from now on: prompts, answers and what tools did are kept on this machine'
    printf ' alone, without secrets; events for 30 days, notes until you erase them. /reverie:off stops it in a session, reverie pause everywhere."}'
    exit
fi

# A name that would end its quotes is left to the person.
case $root$home in *[\'\"\\]* | *[[:cntrl:]]*) root=PLUGIN home=REVERIE_HOME ;; esac

# The extra holds the tool server. `install` records where the program is, wherever PATH leads.
if command -v uv >/dev/null; then
    line="uv tool install '${root}[tools]' && ~/.local/bin/reverie install claude"
elif command -v pipx >/dev/null; then
    line="pipx install '${root}[tools]' && ~/.local/bin/reverie install claude"
else
    line="python3 -m venv '$home/env' && '$home/env/bin/pip' install '${root}[tools]'"
    line="$line && '$home/env/bin/reverie' install claude"
fi

if [ "$1" = tools ]; then
    printf 'reverie: no reverie is installed; run: %s\n' "$line" >&2
    exit 1
fi
kept="What happens until then waits on this machine ($home/spool), without secrets."
printf '{"systemMessage":"reverie remembers nothing yet: its program is not installed. Run once in a terminal:'
printf '\\n%s\\n%s To do without it: /plugin disable reverie"}' "$line" "$kept"
