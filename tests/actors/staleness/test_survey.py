"""A survey looks into the files that may define a name, and into no other."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from msgspec import Struct, field

from actors.policy.references.symbols import defined_by_place, defined_by_word, definition
from actors.staleness.messages import Stamp
from actors.staleness.survey import Survey
from daemon.sources import DiskFolder

ROOT = Path(__file__).resolve().parents[3]


class Tree(Struct):
    """``DiskFolder`` over texts in memory, which counts its readings."""

    texts: dict[str, str]
    readings: list[str] = field(default_factory=list[str])

    def files(self, _: str, wanted: Callable[[str], bool], __: int) -> list[str]:
        return [path for path in self.texts if wanted(path)]

    def stamp(self, path: str) -> Stamp | None:
        return (1, len(self.texts[path])) if path in self.texts else None

    def read(self, path: str) -> str | None:
        self.readings.append(path)
        return self.texts.get(path)


def looked_into(name: str, texts: dict[str, str]) -> tuple[list[str], list[str]]:
    """List where a name is defined, and every file that was looked into for it."""
    users = {
        f"users/{number}.py": f"class User{number}:\n    def go(self):\n        self.depth = 1\n"
        "        print(self.depth, order(depth=2))\n        return list[depth](limit.depth)\n"
        for number in range(40)
    }
    tree, survey = Tree(users | texts), Survey()
    folder = cast("DiskFolder", tree)  # all that a survey asks of one
    survey.renew(folder)
    tree.readings.clear()
    places = survey.places(name, folder)
    return [one.path for one in places.defining], tree.readings


@pytest.mark.parametrize(
    ("name", "texts", "looked"),
    [
        ("depth", {"tree.py": "print(depth)\n"}, []),
        ("depth", {"tree.py": "def depth(node):\n    return 1\n"}, ["tree.py"]),
        ("depth", {"tree.py": "depth = 3\n"}, ["tree.py"]),
        ("self.depth", {"tree.py": "def depth(node):\n    return 1\n"}, ["tree.py"]),
        ("Tree.depth", {"tree.py": "class Tree:\n    depth: int = 3\n"}, ["tree.py"]),
        ("tree.depth", {"tree.py": "depth = 3\n", "root.py": "depth = 4\n"}, ["tree.py"]),
        ("Tree.depth", {"a.go": "package tree\n\nfunc (t *Tree) depth() int {\n}\n"}, ["a.go"]),
        ("tree.depth", {"a.go": "package tree\n\nvar depth = 3\n"}, ["a.go"]),
        ("Tree.depth", {"a.js": "Tree.prototype.depth = function () {\n  go();\n};\n"}, ["a.js"]),
        ("Tree::depth", {"a.cpp": "int Tree::depth(int x) {\n  return x;\n}\n"}, ["a.cpp"]),
    ],
)
def test_only_what_may_define_a_name_is_looked_into(
    name: str, texts: dict[str, str], looked: list[str]
) -> None:
    """Forty files use it, assign to it as a member and pass it on."""
    defining, readings = looked_into(name, texts)

    assert defining == looked
    assert readings == looked


@pytest.mark.parametrize(
    "path",
    ["actors/staleness/survey.py", "hooks/hook.c", "hooks/opencode.js"],
)
def test_whatever_is_defined_in_a_file_is_among_what_may_be(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    others = set(re.findall(r"\w+", text)) - defined_by_word(text) - defined_by_place(text)

    assert [word for word in others if definition(text, word) is not None] == []
