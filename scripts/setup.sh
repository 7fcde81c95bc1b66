#!/bin/sh
# Find a Python, make .venv with it, and hand over to scripts/setup.py.
#
#   PYTHON=/path/to/python3.12 make setup     use this one
#   LLAMA=no make setup                       without the embedding model: recall by words alone
#
# A missing prerequisite is named in one line, with its remedy.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }

if [ "$(uname -s)" = Darwin ]; then
    python_remedy='install Python 3.11 or newer from python.org, or run `brew install python`'
    venv_remedy=$python_remedy
else
    python_remedy='run `apt install python3 python3-venv` (Debian 12, Ubuntu 24.04 or newer)'
    venv_remedy='run `apt install python3-venv`'
fi

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

version_of() { "$1" -c 'import sys; print(sys.version)'; }

python=
if [ -n "${PYTHON:-}" ]; then
    if ! is_new_enough "$PYTHON"; then
        say "PYTHON=$PYTHON is not a working Python 3.11 or newer: name another one"
        exit 1
    fi
    python=$PYTHON
else
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        if is_new_enough "$candidate"; then
            python=$candidate
            break
        fi
    done
fi

# The environment that is there stays, unless its interpreter went away, it was moved with the
# checkout (its scripts name the old place), or PYTHON asks for another version.
here=$(pwd -P)
is_usable() {
    is_new_enough .venv/bin/python && .venv/bin/python -m pip --version >/dev/null 2>&1 || return 1
    [ ! -e .venv/.made-at ] || [ "$(cat .venv/.made-at)" = "$here" ] || return 1
    [ -z "${PYTHON:-}" ] || [ "$(version_of "$python")" = "$(version_of .venv/bin/python)" ]
}

if is_usable; then
    :
elif [ -z "$python" ]; then
    say "no Python 3.11 or newer found: $python_remedy"
    exit 1
else
    if "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        "$python" -m venv --clear .venv
    elif "$python" -m virtualenv --version >/dev/null 2>&1; then
        "$python" -m virtualenv --quiet --clear .venv
    elif command -v virtualenv >/dev/null 2>&1; then
        virtualenv --quiet --clear --python "$python" .venv
    else
        say "$python cannot make a virtual environment: $venv_remedy"
        exit 1
    fi
fi
printf '%s\n' "$here" >.venv/.made-at

exec .venv/bin/python scripts/setup.py
