"""Setting up: what is missing is said in one line, and nothing half-made is kept."""

import importlib.util
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon.embedding import build_llama

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPTS = CHECKOUT / "scripts"


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


@pytest.mark.parametrize(
    ("pythons", "said", "remedy"),
    [
        pytest.param({}, "no Python 3.11 or newer found", "install", id="none"),
        pytest.param({"python3": OLD}, "no Python 3.11 or newer found", "install", id="an old one"),
        pytest.param({"PYTHON": "/nowhere/python9"}, "PYTHON=/nowhere/python9", "", id="asked for"),
        pytest.param(
            {"python3": WITHOUT_VENV}, "cannot make a virtual environment", "install", id="no venv"
        ),
    ],
)
def test_a_python_that_cannot_be_used_is_one_line_with_its_remedy(
    bare: Callable[..., subprocess.CompletedProcess[str]],
    pythons: dict[str, str],
    said: str,
    remedy: str,
) -> None:
    done = bare(**pythons)

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert said in line
    assert remedy in line
