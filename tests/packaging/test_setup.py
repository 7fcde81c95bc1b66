"""Setting up: what is missing is said in one line, and nothing half-made is kept."""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon.embedding import build_llama

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPTS = CHECKOUT / "scripts"
NAME = "llama_cpp_python-0-py3-none-any.whl"
ASKS = f"""
import sys
sys.path.append({str(CHECKOUT)!r})
from daemon.embedding.build_llama import CannotBuild, llama_wheel
try:
    print(llama_wheel())
except (CannotBuild, OSError) as error:
    sys.exit(str(error))
"""


def loaded(name: str) -> Any:
    """One of the scripts as a module."""
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def setup_script() -> Any:
    return loaded("setup")


def program(path: Path, text: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def build(home: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Ask for the wheel with a home of its own and no way to an index."""
    env = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PIP_NO_INDEX": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_RETRIES": "0",
    }
    return subprocess.run(
        [sys.executable, "-c", ASKS],
        env=env | settings,
        capture_output=True,
        text=True,
        check=False,
    )


def compilers(folder: Path, *, compiles: bool = True) -> dict[str, str]:
    """Compilers that tell their version, and compile or do not."""
    answer = 'case "$1" in --version) echo "cc 1.0" ;; *) exit %d ;; esac'
    path = program(folder / "cc", answer % (0 if compiles else 1))
    return {"CC": str(path), "CXX": str(path)}


def cache(home: Path) -> Path:
    """Where the build script keeps its wheels under a home."""
    inside = ("Library", "Caches") if sys.platform == "darwin" else (".cache",)
    return home.joinpath(*inside, "reverie", "llama")


def kept_key() -> str:
    """The cache key of the compilers above, on this machine."""
    return str(build_llama.cache_key("cc 1.0 / cc 1.0", build_llama.cpu_classes()[0]))


def test_a_missing_compiler_is_named_with_its_remedy(tmp_path: Path) -> None:
    done = build(tmp_path, CC="/nowhere/cc", CXX="/nowhere/c++")

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "no C compiler" in line
    assert build_llama.compiler_remedy() in line


def test_a_compiler_without_its_headers_is_found_out_before_the_download(tmp_path: Path) -> None:
    done = build(tmp_path, **compilers(tmp_path, compiles=False))

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "cannot compile" in line
    assert build_llama.compiler_remedy() in line


def test_a_kept_wheel_is_taken_without_a_build(tmp_path: Path) -> None:
    wheel = cache(tmp_path) / kept_key() / NAME
    wheel.parent.mkdir(parents=True)
    wheel.touch()

    done = build(tmp_path, **compilers(tmp_path, compiles=False))

    assert (done.returncode, done.stdout, done.stderr) == (0, f"{wheel}\n", "")


def test_a_kept_wheel_of_a_slower_class_is_taken_without_a_build(tmp_path: Path) -> None:
    key = build_llama.cache_key("cc 1.0 / cc 1.0", build_llama.cpu_classes()[-1])
    wheel = cache(tmp_path) / key / NAME
    wheel.parent.mkdir(parents=True)
    wheel.touch()

    done = build(tmp_path, **compilers(tmp_path, compiles=False))

    assert (done.returncode, done.stdout, done.stderr) == (0, f"{wheel}\n", "")


def test_a_failed_build_says_why_and_leaves_no_folder(tmp_path: Path) -> None:
    done = build(tmp_path, **compilers(tmp_path))

    assert done.returncode == 1
    assert "the build failed: ERROR: " in done.stderr.splitlines()[-1]
    assert sorted(path.name for path in cache(tmp_path).iterdir()) == [
        f"{kept_key()}.lock",
        f"{kept_key()}.log",
    ]


def test_the_folder_of_a_killed_build_is_swept(tmp_path: Path) -> None:
    leftover = cache(tmp_path) / f"{kept_key()}.build-killed" / "wheels"
    leftover.mkdir(parents=True)
    (leftover / NAME).touch()

    done = build(tmp_path, **compilers(tmp_path))

    assert done.returncode == 1
    assert not leftover.parent.exists()


def test_a_second_builder_waits_and_then_takes_the_first_ones_wheel(tmp_path: Path) -> None:
    folder = cache(tmp_path)
    folder.mkdir(parents=True)
    settings = compilers(tmp_path, compiles=False)
    with (folder / f"{kept_key()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(
            [sys.executable, "-c", ASKS],
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert second.stderr is not None
        waiting = second.stderr.readline()
        (folder / kept_key()).mkdir()
        (folder / kept_key() / NAME).touch()
    out, errors = second.communicate()

    assert "waiting for it" in waiting
    assert (second.returncode, out, errors) == (0, f"{folder / kept_key() / NAME}\n", "")


def test_a_full_or_readonly_cache_is_one_line(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()

    done = build(tmp_path, XDG_CACHE_HOME=str(in_the_way), **compilers(tmp_path))

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_what_another_wheel_would_follow_from_is_in_the_key() -> None:
    keys = {
        build_llama.cache_key(compilers, cpu)
        for compilers in ("gcc 12 / g++ 12", "gcc 13 / g++ 13")
        for cpu in ("x86-64", "x86-64-v3", "x86-64-v4", "aarch64")
    }

    assert len(keys) == 8


def test_a_cpu_without_avx2_gets_a_wheel_without_it() -> None:
    assert "-DGGML_AVX2=OFF" in build_llama.flags_for("x86-64")
    assert "-DGGML_AVX2=OFF" not in build_llama.flags_for("x86-64-v3")
    assert "-DGGML_AVX512=ON" not in build_llama.flags_for("x86-64-v3")
    assert "-DGGML_AVX512=ON" in build_llama.flags_for("x86-64-v4")


def test_a_failure_is_told_by_its_last_error() -> None:
    log = "x.cpp:1: error: something odd\nninja: stopped"

    assert build_llama.reason(log) == "x.cpp:1: error: something odd"
    assert "without a message" in build_llama.reason("")


def test_a_step_is_done_once_for_the_same_inputs(
    setup_script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_script, "STAMPS", tmp_path)
    done: list[str] = []

    for digest in ("a", "a", "b", "b"):
        setup_script.once("step", digest, lambda digest=digest: done.append(digest))

    assert done == ["a", "b"]


def test_the_tests_are_read_before_they_run_and_their_bytecode_is_kept(
    setup_script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_one.py").write_text("def test_one():\n    assert True\n")
    monkeypatch.setattr(setup_script, "CHECKOUT", tmp_path)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    setup_script.read_tests()

    assert [*tmp_path.glob("__pycache__/test_one.*-pytest-*.pyc")]


def test_a_failed_step_is_tried_again(
    setup_script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_script, "STAMPS", tmp_path)
    tries: list[str] = []

    def fails() -> None:
        tries.append("try")
        raise setup_script.StepFailed("no network")

    for _ in range(2):
        with pytest.raises(setup_script.StepFailed):
            setup_script.once("step", "a", fails)

    assert len(tries) == 2


@pytest.fixture
def bare(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs scripts/setup.sh in an empty checkout, on a PATH without any Python but those given."""
    checkout = tmp_path / "a checkout"
    (checkout / "scripts").mkdir(parents=True)
    shutil.copy(SCRIPTS / "setup.sh", checkout / "scripts")
    path = tmp_path / "bin"
    path.mkdir()
    for tool in ("cat", "dirname", "uname"):
        found = shutil.which(tool)
        assert found is not None
        (path / tool).symlink_to(found)

    def run(**pythons: str) -> subprocess.CompletedProcess[str]:
        settings = {"PATH": str(path)}
        for name, text in pythons.items():
            if name == "PYTHON":
                settings[name] = text
            else:
                program(path / name, text)
        return subprocess.run(
            ["/bin/sh", str(checkout / "scripts" / "setup.sh")],
            env=settings,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


OLD = "exit 1"  # what the version check of an older Python ends with
WITHOUT_VENV = 'case "$*" in *ensurepip* | *virtualenv*) exit 1 ;; esac'


def test_no_python_is_one_line_with_its_remedy(
    bare: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = bare()

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "no Python 3.11 or newer found" in line
    assert "install" in line


def test_an_old_python_is_as_good_as_none(
    bare: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = bare(python3=OLD)

    assert done.returncode == 1
    assert "no Python 3.11 or newer found" in done.stderr


def test_a_python_that_was_asked_for_and_is_too_old_is_named(
    bare: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = bare(PYTHON="/nowhere/python9")

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "PYTHON=/nowhere/python9" in line


def test_a_python_without_venv_is_one_line_with_its_remedy(
    bare: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = bare(python3=WITHOUT_VENV)

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "cannot make a virtual environment" in line
    assert "install" in line
