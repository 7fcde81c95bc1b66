"""A folder with llama.cpp for every installation of reverie on this machine.

A user's environment holds no llama.cpp, and belongs to ``uv tool`` or ``pipx``, which make it anew on an
upgrade. So the wheel built once (``build_llama.py``) is unpacked beside the cache's wheels with the three
small packages it imports, and the worker looks there when its own environment has none. The folder appears
under its name when it is whole. Its name holds version and class of CPU: a home folder may be shared.
"""

import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from daemon.embedding.build_llama import VERSION, cache_folder, cpu_classes, llama_wheel
from hooks import ownership

MODULE: Final = "llama_cpp"
BESIDE: Final = ("diskcache==5.6.3", "jinja2==3.1.6", "markupsafe==3.0.4")
"""What llama-cpp-python imports and reverie has no other use for, as locked."""


class CannotInstall(Exception):
    """The packages beside llama.cpp cannot be had; the text is one line."""


def site() -> Path:
    """The folder of this machine's class of CPU, or of a slower one made before."""
    cache, tag = cache_folder(), sys.implementation.cache_tag
    folders = [cache / f"{VERSION}-{cpu}-{tag}-site" for cpu in cpu_classes()]
    return next(filter(Path.is_dir, folders), folders[0])


def bindings() -> Any:
    """llama.cpp's bindings of the environment, else of the folder; they publish no types.

    Raises ``ImportError`` and the errors of an unfit build's loading.
    """
    try:
        return importlib.import_module(MODULE)
    except ModuleNotFoundError:
        folder = site()
        if not folder.is_dir():
            raise
        if reason := ownership.reason_against(os.fsencode(folder), ownership.PROGRAM):
            raise ImportError(f"{folder} is not used: {reason}") from None
        sys.path.append(str(folder))
        return importlib.import_module(MODULE)


def make_ready(pip: Sequence[str]) -> Path:
    """The folder, built and unpacked if it is not there: minutes once, then seconds.

    Raises ``CannotBuild``, ``CannotInstall``; nothing half-made is left then, nor when it is interrupted.
    """
    folder = site()
    if folder.is_dir():
        return folder
    wheel = llama_wheel(pip)
    with tempfile.TemporaryDirectory(dir=cache_folder(), prefix="site-") as scratch:
        made = Path(scratch) / "site"
        words = [*pip, "install", "--no-deps", "--only-binary", ":all:", "--no-input", "--quiet"]
        words += ["--disable-pip-version-check", "--target", str(made), str(wheel), *BESIDE]
        done = subprocess.run(words, cwd=scratch, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines() or ["it failed without a word"]
            raise CannotInstall(f"pip: {said[-1][:300]}")
        made.rename(folder)
    return folder
