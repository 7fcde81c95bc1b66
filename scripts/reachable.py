"""Definitions of the product out of reach of every entry point.

    python scripts/reachable.py [FOLDER]

A graph over the source: an edge goes from a definition to each name used in its body. Entry points
are the console script (its table names the commands as ``module:name``), the operations, which the
daemon finds by their place, the hook and the status line, which load files by path, and the
processes of the embedding worker and of engines. Tests and the lab are none, so definitions used by
them alone are named. A method, or a field of a policy's ``Settings``, counts as used when its class
is reachable and anything reachable reads an attribute of its name: objects have no types here.
Prints ``file:line name``, one a line; exit 1 if there is any.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = ("actors", "daemon", "lsp", "toolserver", "viewer", "hooks")
# Loaded by path: what they define is reached like the methods of an object.
POLICY = "actors.policy."
BY_PATH = (
    "hooks.delivery",
    "hooks.spool",
    "hooks.start",
    "hooks.ownership",
    "actors.policy.secrets.redaction",
    "actors.policy.secrets.secret_commands",
    "actors.policy.events.switch",
)
ENTRIES = (
    "daemon.cli.main",
    "daemon.embedding.worker.main",
    "daemon.engines.keeper.main",
    "daemon.engines.llama.main",
    "hooks.hook",
    "hooks.statusline",
    *BY_PATH,
)
COMMANDS = "daemon.commands.local"  # where the "module:name" of the table of commands begins
OPERATIONS = re.compile(r"daemon\.api\.\w+\.(\w+\.NAME|GROUPS|BESIDE)")  # found by being there
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
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Node:
    """One definition: its place, its uses, and its owner."""

    name: str  # dotted, with its module
    where: str  # file:line
    uses: set[str] = field(default_factory=set[str])  # dotted names
    reads: set[str] = field(default_factory=set[str])  # attributes of whatever objects
    objects: set[str] = field(default_factory=set[str])  # modules taken as values
    owner: str = ""  # its class or its module
    free: bool = False  # reached as soon as its owner is


@dataclass
class Module:
    """One file, and the meaning of its names."""

    name: str
    path: Path
    tree: ast.Module
    names: dict[str, str] = field(default_factory=dict[str, str])


class Uses(ast.NodeVisitor):
    """Notes in a node the names and attributes used by a piece of code."""

    def __init__(self, node: Node, names: dict[str, str], modules: dict[str, Module]) -> None:
        self.node, self.names, self.modules = node, names, modules
        self.local: frozenset[str] = frozenset()

    def visit(self, node: ast.AST) -> None:
        """Visit a function with its bound names hidden, anything else as it is."""
        if not isinstance(node, Function | ast.Lambda):
            super().visit(node)
            return
        outer, self.local = self.local, self.local | _bound(node)
        self.generic_visit(node)
        self.local = outer

    def visit_Name(self, node: ast.Name) -> None:
        """Note a name of the module, or an imported one."""
        dotted = self._dotted(node)
        self._use(dotted)
        if dotted in self.modules and isinstance(node.ctx, ast.Load):
            self.node.objects.add(dotted)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A name in an imported module, else an attribute of some object."""
        dotted = self._dotted(node)
        self._use(dotted)
        if self._dotted(node.value) in self.modules:
            return
        if isinstance(node.ctx, ast.Load):
            self.node.reads.add(node.attr)
        self.generic_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        """Note the attributes named in a pattern as read."""
        self.node.reads.update(node.kwd_attrs)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A command in the table of commands."""
        if isinstance(node.value, str) and node.value.count(":") == 1:
            self._use(f"{COMMANDS}.{node.value.replace(':', '.')}")

    def visit_Import(self, node: ast.Import) -> None:
        """An import runs the module."""
        self.node.uses.update(alias.name for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Note an import's module as run, with the modules it names."""
        imported = {f"{node.module}.{alias.name}" for alias in node.names}
        self.node.uses |= {node.module or ""} | (imported & self.modules.keys())

    def _use(self, dotted: str) -> None:
        if dotted:
            self.node.uses.add(dotted)

    def _dotted(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            base = self._dotted(node.value)
            return f"{base}.{node.attr}" if base else ""
        if isinstance(node, ast.Name) and node.id not in self.local:
            return self.names.get(node.id, "")
        return ""


def _bound(function: Function | ast.Lambda) -> frozenset[str]:
    """The names local to a function, without imported ones."""
    arguments = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    stored = {
        one.id
        for one in ast.walk(function)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    return frozenset(arguments | stored)


def unreached(root: Path) -> list[Node]:
    """The definitions under ``root`` out of reach of every entry point, in the order of the source."""
    modules = {one.name: one for one in _modules(root)}
    nodes = {node.name: node for module in modules.values() for node in _nodes(module, modules)}
    reached = Reached(modules, nodes)
    for entry in (
        *ENTRIES,
        *filter(OPERATIONS.fullmatch, nodes),
    ):
        reached.use(entry)
    reached.follow()
    return [
        node
        for node in nodes.values()
        # What lies in a class or a module that nobody reaches goes with it.
        if node.name not in reached.seen | OTHERS.keys()
        and (not node.owner or node.owner in reached.seen)
    ]


def _modules(root: Path) -> Iterator[Module]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            module = Module(name, path, ast.parse(path.read_bytes(), str(path)))
            module.names = _names(module)
            yield module


def _names(module: Module) -> dict[str, str]:
    names: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                names[bound] = alias.name if alias.asname else bound
        elif isinstance(node, ast.ImportFrom):
            names |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return names | {name: f"{module.name}.{name}" for name, _ in _defined(module.tree.body)}


def _defined(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The names defined by statements, each with its statement."""
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, statement
            case ast.ClassDef(name=name):
                yield name, statement
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, statement
            case ast.Assign(targets=targets):
                for target in targets:
                    for one in ast.walk(target):
                        if isinstance(one, ast.Name):
                            yield one.id, statement
            case _:
                pass


def _nodes(module: Module, modules: dict[str, Module]) -> Iterator[Node]:
    """The module itself, its definitions, and the members of its classes."""

    def node(name: str, at: ast.AST, *code: ast.AST) -> Node:
        made = Node(name, f"{module.path}:{getattr(at, 'lineno', 1)}")
        uses = Uses(made, module.names, modules)
        for one in code:
            uses.visit(one)
        return made

    defined = list(_defined(module.tree.body))
    named = {id(statement) for _, statement in defined}
    yield node(module.name, module.tree, *(one for one in module.tree.body if id(one) not in named))
    for name, statement in defined:
        full = f"{module.name}.{name}"
        if not isinstance(statement, ast.ClassDef):
            made = node(full, statement, statement)
            made.owner, made.free = module.name, _handed_on(statement)
            yield made
            continue
        members = list(_defined(statement.body))
        kept = {id(one) for _, one in members if not isinstance(one, ast.AnnAssign | ast.Assign)}
        head = [one for one in ast.iter_child_nodes(statement) if id(one) not in kept]
        made = node(full, statement, *head)
        made.owner = module.name
        yield made
        free = any(_last(base) not in INERT and _outside(base, module) for base in statement.bases)
        for member, inner in members:
            made = node(f"{full}.{member}", inner, inner)
            made.owner = full
            made.free = (
                free
                or member.startswith("__")
                or _is_field_of_no_settings(inner, statement, module)
                or _handed_on(inner)
            )
            yield made


def _is_field_of_no_settings(member: ast.stmt, of: ast.ClassDef, module: Module) -> bool:
    """Return whether a member is a field others may read: any except a policy's settings."""
    settings = of.name == "Settings" and module.name.startswith(POLICY)
    return isinstance(member, ast.AnnAssign | ast.Assign) and not settings


def _handed_on(statement: ast.stmt) -> bool:
    """Return whether a decorator registers the function with somebody who calls it."""
    decorators = statement.decorator_list if isinstance(statement, Function) else []
    return any(_last(one) not in WRAPPERS for one in decorators)


def _outside(base: ast.expr, module: Module) -> bool:
    """Return whether a base class is none of the product's."""
    name = ast.unparse(base).partition("[")[0].partition(".")[0]
    return module.names.get(name, "").partition(".")[0] not in PACKAGES


def _last(expression: ast.expr) -> str:
    text = ast.unparse(expression)
    return text.partition("(")[0].partition("[")[0].rpartition(".")[2]


class Reached:
    """Functions reached from the entry points so far."""

    def __init__(self, modules: dict[str, Module], nodes: dict[str, Node]) -> None:
        self.modules, self.nodes = modules, nodes
        self.seen: set[str] = set()
        self.reads: set[str] = set()
        self.objects = set(BY_PATH)
        self.waiting: list[Node] = []

    def follow(self) -> None:
        """Go on until nothing new is reached: uses first, then members by their names."""
        while self.waiting:
            while self.waiting:
                node = self.waiting.pop()
                self.reads |= node.reads
                self.objects |= node.objects
                for used in node.uses:
                    self.use(used)
            for node in self.nodes.values():
                if node.owner in self.seen and (node.free or self._is_read(node)):
                    self._reach(node.name)

    def use(self, dotted: str) -> None:
        """Reach the definition of a dotted name, and the modules run for it."""
        parts = dotted.split(".")
        for length in range(1, len(parts) + 1):
            prefix = ".".join(parts[:length])
            if prefix in self.modules:
                self._reach(prefix)
                continue
            module = self.modules.get(".".join(parts[: length - 1]))
            if module is None:
                continue  # a folder without a file of its own
            stands_for = module.names.get(parts[length - 1], "")
            if stands_for == prefix:
                self._reach(prefix)
                self._reach(".".join(parts[: length + 1]))
            elif stands_for:
                self.use(".".join([stands_for, *parts[length:]]))
            return

    def _is_read(self, node: Node) -> bool:
        of_object = node.owner not in self.modules or node.owner in self.objects
        return of_object and node.name.rpartition(".")[2] in self.reads

    def _reach(self, name: str) -> None:
        if name in self.nodes and name not in self.seen:
            self.seen.add(name)
            self.waiting.append(self.nodes[name])


def main() -> int:
    """Print unreached definitions; the value is the exit code."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = unreached(root)
    for node in found:
        sys.stdout.write(f"{node.where.removeprefix(f'{root}/')} {node.name}\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
