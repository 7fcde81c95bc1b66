"""The check that names what no entry point reaches."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "reachable.py"
CLI = """
from actors.policy import rules, shapes
from actors.policy.text import plain

TABLE = ("keep:keep", "12:30")

def main():
    return rules.used(shapes.Settings()), plain, TABLE
"""
COMMAND = """
import click

@click.group()
def keep(): ...

@keep.command("all")
def keep_all(): return late()

def late(): ...
"""
RULES = """
UNUSED = 7
USED = 8

def used(shape):
    return shape.area + USED

def planted():
    return behind()

def behind():
    return planted()

"""
SHAPES = """
import ast
from enum import Enum
from typing import NamedTuple

class Settings(NamedTuple):
    side: int = 1
    unread: int = 2
    kind: Kind = None

    @property
    def area(self):
        return self.side, self.kind.A, Result()

    def unread_too(self):
        return self.side

class Kind(Enum):
    A = 1

class Result(NamedTuple):
    told: int = 3

    def __len__(self):
        return 0

class Alone:
    def area(self): ...

class Visitor(ast.NodeVisitor):
    def visit_Name(self, node): ...
"""


def loaded() -> Any:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("reachable", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["reachable"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reachable = loaded()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small product, in which some things have no caller."""
    for name, text in {
        "daemon/cli.py": CLI,
        "daemon/commands/local/keep.py": COMMAND,
        "actors/policy/rules.py": RULES,
        "actors/policy/shapes.py": SHAPES,
        "actors/policy/text.py": "def plain(): ...\n",
        "actors/policy/nowhere.py": "def lost(): ...\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def unreached(source: Path) -> list[str]:
    return [node.name.removeprefix("actors.policy.") for node in reachable.unreached(source)]


def test_what_only_the_lab_uses_is_named_though_a_command_runs_the_lab(source: Path) -> None:
    (source / "lab").mkdir()
    (source / "lab" / "trial.py").write_text(
        "from actors.policy import nowhere\n\ndef play():\n    nowhere.lost()\n", encoding="utf-8"
    )
    keep = source / "daemon" / "commands" / "local" / "keep.py"
    keep.write_text(f"from lab import trial\n{COMMAND}\ntrial.play()\n", encoding="utf-8")

    assert "nowhere" in unreached(source)


def test_what_nothing_reached_says_the_name_of_is_named(source: Path) -> None:
    named = unreached(source)

    assert sorted(named) == [
        "nowhere", "rules.UNUSED", "rules.behind", "rules.planted", "shapes.Alone", "shapes.Settings.unread", "shapes.Settings.unread_too", "shapes.Visitor",
    ]  # fmt: skip


def test_what_a_library_calls_is_reached_with_its_class(source: Path) -> None:
    cli = source / "daemon" / "cli.py"
    cli.write_text(CLI + "\nshapes.Visitor().visit(None)\n", encoding="utf-8")

    assert "shapes.Visitor.visit_Name" not in unreached(source)


def test_each_is_told_with_its_place_and_the_check_fails(
    source: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["reachable.py", str(source)])

    code = reachable.main()

    line = RULES.splitlines().index("def planted():") + 1
    assert code == 1
    assert f"actors/policy/rules.py:{line} actors.policy.rules.planted" in capsys.readouterr().out
