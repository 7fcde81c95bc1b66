#!/bin/sh
# The status line: "statusLine": {"type": "command", "command": "/bin/sh /path/to/hooks/statusline.sh"}
# in the settings of Claude Code. Runs statusline.py by the first Python there is, as hook.sh does.

case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
for python in "$here/../.venv/bin/python" /usr/bin/python3 /usr/local/bin/python3; do
    case $python in /usr/bin/*) [ -d /System/Library/CoreServices ] && continue ;; esac
    [ -x "$python" ] && exec "$python" -I -S "$here/statusline.py"
done
