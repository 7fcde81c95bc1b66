"""llama.cpp in a folder of its own: found where the environment has none, made whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from daemon.embedding import build_llama
from tests.patience import PATIENCE, ROOT

CLASSES = build_llama.cpu_classes()
# Finds the bindings as the worker does, in an interpreter that has no packages.
ASKS = (
    f"import sys; sys.path.append({str(ROOT)!r})\n"
    "from daemon.embedding.build_llama import bindings; print(bindings().__version__)"
)
# Unpacks as pip would: a package that is imported, in the folder that was asked for.
PIP = """#!/bin/sh
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/llama_cpp" && echo "__version__ = 'unpacked'" >"$2/llama_cpp/__init__.py"
"""
FAILS = """#!/bin/sh
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/half" && echo "no such package" >&2 && exit 1
"""


def program(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o700)
    return str(path)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, whose wheel is built already."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiler = program(tmp_path / "cc", "#!/bin/sh\necho cc 1.0\n")
    monkeypatch.setenv("CC", compiler)
    monkeypatch.setenv("CXX", compiler)
    folder = build_llama.cache_folder()
    kept = folder / build_llama.cache_key("cc 1.0 / cc 1.0", build_llama.cpu_classes()[0])
    kept.mkdir(parents=True)
    (kept / "llama.whl").touch()
    return folder


def asked() -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-S", "-c", ASKS]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_an_environment_without_it_finds_it_in_its_folder(cache: Path) -> None:
    before = asked()
    made = build_llama.make_ready([program(cache.parent / "pip", PIP)])

    assert "No module named 'llama_cpp'" in before.stderr
    assert made == build_llama.site()
    assert asked().stdout == "unpacked\n"
    assert build_llama.make_ready(["/no/pip"]) == made  # what is there is not made again


def test_packages_that_cannot_be_had_leave_nothing(cache: Path) -> None:
    before = list(cache.iterdir())
    with pytest.raises(build_llama.CannotInstall, match="no such package"):
        build_llama.make_ready([program(cache.parent / "pip", FAILS)])

    assert list(cache.iterdir()) == before


def test_a_folder_that_others_may_write_is_not_used(cache: Path) -> None:
    build_llama.make_ready([program(cache.parent / "pip", PIP)]).chmod(0o777)

    assert "everybody may write" in asked().stderr


def test_a_folder_of_a_slower_class_is_used_until_there_is_a_faster_one(cache: Path) -> None:
    names = [f"{build_llama.VERSION}-{cpu}-{sys.implementation.cache_tag}-site" for cpu in CLASSES]
    chosen: list[Path] = []
    for name in reversed(names):
        (cache / name).mkdir()
        chosen.append(build_llama.site())

    assert chosen == [cache / name for name in reversed(names)]
