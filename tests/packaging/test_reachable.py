"""The check that names what nothing else says the name of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "reachable.py"
CLI = """
import ast
from actors.policy import rules

TABLE = ("keep:kept_by_the_table",)

class Visitor(ast.NodeVisitor):
    def visit_Name(self, node): ...

def main():
    return rules.used(TABLE), Visitor()
"""
RULES = """
UNUSED = 7
USED = 8

def used(shape):
    return shape.area + USED

def kept_by_the_table(): ...

def planted():
    return behind()

def behind():
    return planted_too()

class Shape:
    @property
    def area(self): ...

    def alone(self): ...
"""


def test_what_nothing_reached_says_the_name_of_is_named_with_its_place(tmp_path: Path) -> None:
    for name, text in {"daemon/cli.py": CLI, "actors/policy/rules.py": RULES}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines()] == [
        "UNUSED", "planted", "behind", "Shape", "alone",
    ]  # fmt: skip
    assert done.stdout.startswith("actors/policy/rules.py:2 UNUSED\n")
