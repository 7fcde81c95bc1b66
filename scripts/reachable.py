"""Definitions of the product that nothing else says the name of.

    python scripts/reachable.py [FOLDER]

A function, class, method or constant is reached when something else that is reached reads a name like its own; names
are compared as they stand, since objects have no types here. Tests and the lab reach nothing. Prints
``file:line name``, one a line; exit 1 if there is any.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("actors", "daemon", "lsp", "toolserver", "viewer", "hooks")
# Loaded by path on an agent's machine, also by a hook of another version.
BY_PATH = re.compile(
    r"hooks/.*|actors/policy/(secrets|events)/(redaction|secret_commands|switch)\.py"
)
# Names that Python, or whoever finds an operation by its place, reads.
BY_OTHERS = re.compile(r"main|NAME|GROUPS|BESIDE|__\w+__")
# Decorators that keep a function to itself; any other hands it to somebody who calls it.
WRAPPERS = frozenset(
    "property setter dataclass cache lru_cache contextmanager asynccontextmanager classmethod"
    " staticmethod overload runtime_checkable".split()
)
# Outside bases that call no method of a subclass by its name.
INERT = frozenset("NamedTuple Protocol Generic Struct Enum StrEnum IntEnum IntFlag object".split())
# What others than the product read, with whom.
OTHERS = {
    "__version__": "the build of the wheel",
    "SCHEMA_VERSION": "the tests of migrations",
    "taken_up": "how much of the indexes is in memory",
}


class Definition(NamedTuple):
    """One definition: its name, its place, and the names that it reads."""

    name: str
    where: str  # file:line
    says: frozenset[str]
    free: bool = False  # reached, whoever says its name


def unreached(root: Path) -> list[Definition]:
    """The definitions under ``root`` that nobody reached says the name of, in the order of the source."""
    every = alive = [one for package in PACKAGES for one in _of_package(root, package)]
    while True:
        said: dict[str, int] = {}
        for one in alive:
            for name in one.says - {one.name}:
                said[name] = said.get(name, 0) + 1
        dead = [one for one in alive if not one.free and one.name not in said]
        if not dead:
            return [one for one in every if one not in alive]
        alive = [one for one in alive if one not in dead]


def _of_package(root: Path, package: str) -> Iterator[Definition]:
    for path in sorted((root / package).rglob("*.py")):
        place = path.relative_to(root).as_posix()
        tree = ast.parse(path.read_bytes(), place)
        free = BY_PATH.fullmatch(place) is not None
        imported = {
            alias.asname or alias.name
            for one in ast.walk(tree)
            if isinstance(one, ast.ImportFrom) and str(one.module).partition(".")[0] not in PACKAGES
            for alias in one.names
        }
        yield from _defined(tree.body, place, imported, free=free)


def _defined(
    body: list[ast.stmt], place: str, imported: set[str], *, free: bool, fields: bool = False
) -> Iterator[Definition]:
    """Definitions of these statements and of classes among them; what is left over belongs to nobody."""
    rest: list[ast.AST] = []
    for statement in body:
        where = f"{place}:{statement.lineno}"
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                handed = free or _is_handed_on(statement)
                yield Definition(name, where, _said(statement), handed or _is_others(name))
            case ast.ClassDef(name=name):
                called = free or any(_is_outside(base, imported) for base in statement.bases)
                names = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
                head = _said(*statement.bases, *statement.decorator_list)
                yield Definition(name, where, head, free or "NAME" in names)
                yield from _defined(statement.body, place, imported, free=called, fields=True)
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)])
            ) if not fields:
                yield Definition(name, where, _said(statement), free or _is_others(name))
            case _:
                rest.append(statement)
    yield Definition("", f"{place}:1", _said(*rest), free=True)


def _is_others(name: str) -> bool:
    return BY_OTHERS.fullmatch(name) is not None or name in OTHERS


def _is_outside(base: ast.expr, imported: set[str]) -> bool:
    """Return whether a base class is a library's, which may call a method of it by name."""
    return _last(base) not in INERT and (isinstance(base, ast.Attribute) or _last(base) in imported)


def _is_handed_on(statement: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a decorator registers the function with somebody who calls it."""
    return any(_last(one) not in WRAPPERS for one in statement.decorator_list)


def _last(expression: ast.expr) -> str:
    text = ast.unparse(expression)
    return text.partition("(")[0].partition("[")[0].rpartition(".")[2]


def _said(*code: ast.AST) -> frozenset[str]:
    """Names and attributes read there, and commands of a table as ``module:name``."""
    said = set[str]()
    for node in (node for one in code for node in ast.walk(one)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                said.add(name)
            case ast.MatchClass(kwd_attrs=names):
                said.update(names)
            case ast.Constant(value=str(text)) if text.count(":") == 1:
                said.add(text.partition(":")[2])
            case _:
                pass
    return frozenset(said)


def main() -> int:
    """Print unreached definitions; the value is the exit code."""
    found = unreached(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    for one in found:
        sys.stdout.write(f"{one.where} {one.name}\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
