"""llama.cpp in a folder of its own: found where the environment has none, made whole or not at all."""

from __future__ import annotations

import fcntl
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
# Builds and unpacks as pip would: a wheel, then a package that is imported, in the folder that was asked for.
PIP = """#!/bin/sh
case "$*" in *" wheel "*) mkdir wheels && touch wheels/llama.whl; exit 0 ;; esac
[ "$PIP_USER" = 0 ] || { echo "ERROR: Can not combine '--user' and '--target'" >&2; exit 1; }
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/llama_cpp" && echo "__version__ = 'unpacked'" >"$2/llama_cpp/__init__.py"
"""
FAILS = """#!/bin/sh
case "$*" in *" wheel "*) mkdir wheels && touch wheels/llama.whl; exit 0 ;; esac
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/half" && echo "ERROR: no such package" >&2 && exit 1
"""
BUILDS_NOTHING = "#!/bin/sh\necho 'x.cpp:1: error: something odd'; exit 1\n"


def program(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o700)
    return str(path)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and a compiler that compiles."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CXX", program(tmp_path / "cc", "#!/bin/sh\nexit 0\n"))
    return build_llama.cache_folder()


def asked() -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-S", "-c", ASKS]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_an_environment_without_it_finds_it_in_its_folder(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_USER", "1")
    before = asked()
    made = build_llama.make_ready([program(cache.parents[1] / "pip", PIP)])

    assert "No module named 'llama_cpp'" in before.stderr
    assert made == build_llama.site()
    assert asked().stdout == "unpacked\n"
    assert build_llama.make_ready(["/no/pip"]) == made  # what is there is not made again


@pytest.mark.parametrize(
    ("pip", "said"),
    [(FAILS, "unpacking failed: ERROR: no such package"), (BUILDS_NOTHING, "error: something odd")],
)  # fmt: skip
def test_what_cannot_be_had_is_said_and_leaves_nothing_but_its_log(
    cache: Path, pip: str, said: str
) -> None:
    (cache / f"{build_llama.site().name}-build-killed" / "wheels").mkdir(parents=True)
    with pytest.raises(build_llama.CannotBuild, match=said):
        build_llama.make_ready([program(cache.parents[1] / "pip", pip)])

    assert [path.suffix for path in sorted(cache.iterdir())] == [".lock", ".log"]


def test_a_folder_that_was_built_with_other_flags_is_not_used(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = build_llama.make_ready([program(cache.parents[1] / "pip", PIP)])
    monkeypatch.setattr(build_llama, "FLAGS", (*build_llama.FLAGS, "-DGGML_OPENMP=OFF"))

    assert made.is_dir()
    assert build_llama.site() != made


@pytest.mark.parametrize("compiler", ["/nowhere/c++", "false"])
def test_a_compiler_that_does_not_compile_is_found_out_before_the_download(
    cache: Path, monkeypatch: pytest.MonkeyPatch, compiler: str
) -> None:
    monkeypatch.setenv("CXX", compiler)
    with pytest.raises(build_llama.CannotBuild, match="cannot compile") as failed:
        build_llama.make_ready(["/no/pip"])

    assert build_llama.compiler_remedy() in str(failed.value)


def test_a_second_builder_waits_and_then_takes_what_the_first_made(cache: Path) -> None:
    cache.mkdir(parents=True)
    folder = build_llama.site()
    program_ = (
        f"import sys; sys.path.append({str(ROOT)!r}); from daemon.embedding import build_llama"
    )
    words = [sys.executable, "-c", f"{program_}; print(build_llama.make_ready(['/no/pip']))"]
    with (cache / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert second.stderr is not None
        waiting = second.stderr.readline()
        folder.mkdir()
    out, _ = second.communicate(timeout=PATIENCE)

    assert "waiting for it" in waiting
    assert out == f"{folder}\n"


def test_a_folder_that_others_may_write_is_not_used(cache: Path) -> None:
    build_llama.make_ready([program(cache.parents[1] / "pip", PIP)]).chmod(0o777)

    assert "everybody may write" in asked().stderr


def test_a_folder_of_a_slower_class_is_used_until_there_is_a_faster_one(cache: Path) -> None:
    cache.mkdir(parents=True)
    names = [build_llama.site_name(cpu) for cpu in CLASSES]
    chosen: list[Path] = []
    for name in reversed(names):
        (cache / name).mkdir()
        chosen.append(build_llama.site())

    assert chosen == [cache / name for name in reversed(names)]
