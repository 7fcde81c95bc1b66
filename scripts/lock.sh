#!/bin/sh
# Write requirements.lock: one file for every system, with hashes and without index addresses.
#
# In it: what reverie needs to run, the tool server, the view, what its tests need, what builds it, and what llama-cpp-python needs. llama-cpp-python itself is pinned in daemon/embedding/build_llama.py.
set -eu
cd "$(dirname "$0")/.."

if [ -x .venv/bin/uv ]; then
    uv=.venv/bin/uv
elif command -v uv >/dev/null 2>&1; then
    uv=uv
else
    printf 'lock: uv is missing: run `.venv/bin/pip install uv`\n' >&2
    exit 1
fi

build_requirements() {
    .venv/bin/python - <<'PYTHON'
import tomllib

with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["build-system"]["requires"], sep="\n")
print("editables>=0.5")  # what hatchling asks for when it installs the checkout editable
PYTHON
}

build_requirements | "$uv" pip compile --quiet --universal --python-version 3.11 \
    --generate-hashes --no-emit-index-url --no-emit-find-links \
    --extra llama --extra tools --extra view --group dev --no-emit-package llama-cpp-python \
    --custom-compile-command 'make lock' ${UPGRADE:+--upgrade} \
    --output-file requirements.lock pyproject.toml -
