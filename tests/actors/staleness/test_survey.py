"""A survey finds the files that define a name among all that have it."""

from collections.abc import Callable
from typing import cast

import pytest
from msgspec import Struct

from actors.staleness.messages import Stamp
from actors.staleness.survey import Survey
from daemon.sources import DiskFolder


class Tree(Struct):
    """``DiskFolder`` over texts in memory."""

    texts: dict[str, str]

    def files(self, _: str, wanted: Callable[[str], bool], __: int) -> list[str]:
        return [path for path in self.texts if wanted(path)]

    def stamp(self, path: str) -> Stamp | None:
        return (1, len(self.texts[path])) if path in self.texts else None

    def read(self, path: str) -> str | None:
        return self.texts.get(path)


def defining(name: str, texts: dict[str, str]) -> list[str]:
    """List where a name is defined, beside forty files that use it."""
    users = {
        f"users/{number}.py": f"class User{number}:\n    def go(self):\n        self.depth = 1\n"
        "        print(self.depth, order(depth=2))\n        return list[depth](limit.depth)\n"
        for number in range(40)
    }
    tree, survey = Tree(users | texts), Survey()
    folder = cast("DiskFolder", tree)  # all that a survey asks of one
    survey.renew(folder)
    return [one.reference.path for one in survey.places(name, folder).defining]


@pytest.mark.parametrize(
    ("name", "texts", "found"),
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
def test_a_name_is_defined_where_a_file_says_so_and_not_where_it_is_used(
    name: str, texts: dict[str, str], found: list[str]
) -> None:
    """Forty files use it, assign to it as a member and pass it on."""
    assert defining(name, texts) == found
