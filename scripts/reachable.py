"""Definitions of the product that nothing reached says the name of.

    python scripts/reachable.py [FOLDER]

Entry points are the console script (its table names the commands as ``module:name``), the operations, which the
daemon finds by their place, the hook and the status line, which load files by path, and the processes of the
embedding worker and of engines. From there a module is reached by its import, and a function, class, constant,
method or field of a policy's ``Settings`` when its owner is reached and something reached says its name; names are
compared as they stand, since objects have no types here. Tests and the lab reach nothing. Prints ``file:line name``,
one a line; exit 1 if there is any.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("actors", "daemon", "lsp", "toolserver", "viewer", "hooks")
# Loaded by path, or found by being there: what they define is reached with them.
FOUND = re.compile(
    r"hooks\.\w+|actors\.policy\.(secrets|events)\.(redaction|secret_commands|switch|user_patterns)"
)
ENTRIES = re.compile(
    r"daemon\.cli|daemon\.api\.\w+|daemon\.embedding\.worker|daemon\.engines\.(keeper|llama_child)"
)
COMMANDS = "daemon.commands.local"  # where the "module:name" of the table of commands begins
POLICY = "actors.policy."
# Decorators that keep a function to itself; any other hands it to somebody who calls it.
WRAPPERS = frozenset(
    "property setter dataclass cache lru_cache contextmanager asynccontextmanager classmethod"
    " staticmethod overload runtime_checkable".split()
)
# Outside bases that call no method of a subclass by its name.
INERT = frozenset("NamedTuple Protocol Generic Struct Enum StrEnum IntEnum IntFlag object".split())
# What others than the product read, with whom; and figures for tests and benchmarks, which cannot
# be taken from outside without changing what they measure.
OTHERS = {
    "daemon.__version__": "the build of the wheel",
    "daemon.storage.database.schema.SCHEMA_VERSION": "the tests of migrations",
    "daemon.storage.reader.ReadingSide.taken_up": "how much of the indexes is in memory",
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Node(NamedTuple):
    """One definition: its place, what it says, and when it is reached."""

    name: str  # dotted, with its module
    where: str  # file:line
    says: frozenset[str]  # identifiers, and dotted names of what it imports
    owner: str = ""  # its class or its module; a module has none
    free: bool = False  # reached as soon as its owner is


def unreached(root: Path) -> list[Node]:
    """The definitions under ``root`` out of reach of every entry point, in the order of the source."""
    nodes = [node for package in PACKAGES for node in _of_package(root, package)]
    reached, said = set[str](), {"main", "NAME", "GROUPS"}
    waiting, before = nodes, -1
    while len(waiting) != before:
        before = len(waiting)
        for node in waiting:
            if _is_reached(node, reached, said):
                reached.add(node.name)
                said |= node.says
        waiting = [node for node in waiting if node.name not in reached]
    # What lies in a class or a module that nobody reaches goes with it.
    return [
        one for one in waiting if one.name not in OTHERS and (not one.owner or one.owner in reached)
    ]


def _is_reached(node: Node, reached: set[str], said: set[str]) -> bool:
    if not node.owner:
        return node.free or node.name in said
    return node.owner in reached and (node.free or node.name.rpartition(".")[2] in said)


def _of_package(root: Path, package: str) -> Iterator[Node]:
    for path in sorted((root / package).rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(path.read_bytes(), str(path))
        found = FOUND.fullmatch(name) is not None
        defined = list(_defined(tree.body))
        named = {id(statement) for _, statement in defined}
        rest = [one for one in tree.body if id(one) not in named]
        entry = found or ENTRIES.fullmatch(name) is not None or path.name == "__init__.py"
        yield Node(name, f"{path}:1", _said(*rest), free=entry)
        for own, statement in defined:
            where, full = f"{path}:{statement.lineno}", f"{name}.{own}"
            if isinstance(statement, ast.ClassDef):
                yield from _of_class(full, statement, where, tree, free=found)
            else:
                yield Node(full, where, _said(statement), name, found or _handed_on(statement))


def _of_class(
    name: str, statement: ast.ClassDef, where: str, tree: ast.Module, *, free: bool
) -> Iterator[Node]:
    owner, path = name.rpartition(".")[0], where.rpartition(":")[0]
    members = list(_defined(statement.body))
    kept = {id(one) for _, one in members if isinstance(one, Function | ast.ClassDef)}
    head = [one for one in ast.iter_child_nodes(statement) if id(one) not in kept]
    yield Node(name, where, _said(*head), owner, free or _is_operation(owner, members))
    settings = statement.name == "Settings" and owner.startswith(POLICY)
    called = free or any(
        _last(base) not in INERT and _is_outside(base, tree) for base in statement.bases
    )
    for member, inner in members:
        is_field = isinstance(inner, ast.AnnAssign | ast.Assign) and not settings
        kept_free = called or is_field or member.startswith("__") or _handed_on(inner)
        yield Node(f"{name}.{member}", f"{path}:{inner.lineno}", _said(inner), name, kept_free)


def _is_operation(module: str, members: list[tuple[str, ast.stmt]]) -> bool:
    """Return whether a class is an operation, which the daemon finds by its being there."""
    return module.startswith("daemon.api.") and any(name == "NAME" for name, _ in members)


def _is_outside(base: ast.expr, tree: ast.Module) -> bool:
    """Return whether a base class is a library's: ``ast.NodeVisitor``, or imported by its name."""
    imported = {
        alias.asname or alias.name
        for one in ast.walk(tree)
        if isinstance(one, ast.ImportFrom) and str(one.module).partition(".")[0] not in PACKAGES
        for alias in one.names
    }
    return isinstance(base, ast.Attribute) or _last(base) in imported


def _defined(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The names defined by statements, each with its statement."""
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, statement
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, statement
            case ast.Assign(targets=targets):
                for one in (one for target in targets for one in ast.walk(target)):
                    if isinstance(one, ast.Name):
                        yield one.id, statement
            case _:
                pass


def _said(*code: ast.AST) -> frozenset[str]:
    """What code says: names and attributes it reads, imported modules, and commands of the table."""
    said = set[str]()
    for node in (node for one in code for node in ast.walk(one)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                said.add(name)
            case ast.MatchClass(kwd_attrs=names):
                said.update(names)
            case ast.Import(names=names):
                said.update(alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                said |= {module, *(f"{module}.{alias.name}" for alias in names)}
            case ast.Constant(value=str(text)) if text.count(":") == 1:
                module, _, name = text.partition(":")
                said |= {f"{COMMANDS}.{module}", name}
            case _:
                pass
    return frozenset(said)


def _handed_on(statement: ast.stmt) -> bool:
    """Return whether a decorator registers the function with somebody who calls it."""
    decorators = statement.decorator_list if isinstance(statement, Function) else []
    return any(_last(one) not in WRAPPERS for one in decorators)


def _last(expression: ast.expr) -> str:
    text = ast.unparse(expression)
    return text.partition("(")[0].partition("[")[0].rpartition(".")[2]


def main() -> int:
    """Print unreached definitions; the value is the exit code."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = unreached(root)
    for node in found:
        sys.stdout.write(f"{node.where.removeprefix(f'{root}/')} {node.name}\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
