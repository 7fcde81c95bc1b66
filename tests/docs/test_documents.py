"""The documents are held to the code: what is not written down, or no longer true, is red.

Most tests compare names. One reads the actors' source and finds every place where one
sends to another: no circle of actors can wait for each other.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from actors.policy.recall.notes import Fate
from daemon import host
from daemon.commands.group import HELP
from daemon.storage.tables import statements

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("actors", "daemon", "hooks", "lab", "lsp", "toolserver", "viewer")
ACTORS = ROOT / "actors"
DAEMON = ROOT / "daemon"
POLICY = ACTORS / "policy"
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
INDEX = ROOT / "docs" / "README.md"
MESSAGES = sorted(ACTORS.glob("*/*.py"))
ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
NOT_OURS = {".venv", ".git", "node_modules", ".pytest_cache", ".hypothesis", ".ruff_cache"}
DOCUMENTS = sorted(
    path for path in ROOT.rglob("*.md") if not NOT_OURS & set(path.relative_to(ROOT).parts)
)
WAITING = frozenset({"tell", "ask"})
VERBS = frozenset({*WAITING, "offer", "hint"})
SLOW = re.compile(r"\bmark\.slow\b")
MOST_MODULES = 40  # of one folder: more are not looked through (docs/adr/0015)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def section(title: str, page: Path = ARCHITECTURE) -> str:
    """The text under one heading, up to the next that is not below it."""
    heading, _, rest = text_of(page).partition(f" {title}\n")
    assert rest, f"{page.name} has no section called {title!r}"
    depth = len(heading) - len(heading.rstrip("#"))
    return re.split(rf"^#{{1,{depth}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def module_of(thing: object) -> str:
    """The last name of the module that a class or a function is from."""
    return thing.__module__.rpartition(".")[2]


def first_cells(table: str) -> list[str]:
    """The code words in the first column of a table, row by row."""
    return re.findall(r"^\| *`([^`]+)`", table, re.MULTILINE)


# ---- Who sends what to whom: read from the source ----------------------------------


class Edge(NamedTuple):
    """One actor sends one kind of message to another."""

    sender: str
    verb: str  # tell, ask, offer or hint
    receiver: str
    message: str


def edges_of(source: str, sender: str, kinds: frozenset[str]) -> set[Edge]:
    """Every sending in one actor's module.

    A mailbox is a field annotated ``Mailbox[XMessage]``, or that or none, which is the mailbox
    of actor ``x``. A call of ``tell``, ``ask``, ``offer`` or ``hint`` goes to the mailboxes that
    its object names, directly or as the variable of a loop over some of them. What is sent is the
    message made in the argument, or the type of the variable that stands there. So it is with
    ``posted``, whose arguments are the mailbox and the question.
    """
    tree = ast.parse(source)
    boxes = dict(_mailboxes(tree))
    loops = dict(_loops(tree, boxes))
    edges: set[Edge] = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        types = dict(_variables(function, kinds))
        for call in ast.walk(function):
            if not isinstance(call, ast.Call) or (parts := _sending(call)) is None:
                continue
            verb, box, what = parts
            receivers = _named(box, boxes, loops)
            sent = _outermost(what)
            made = (sent & kinds) or {types[name] for name in sent & types.keys()}
            assert receivers, f"{sender}:{call.lineno} sends to a mailbox this test cannot name"
            assert made, f"{sender}:{call.lineno} sends a message this test cannot name"
            edges |= {Edge(sender, verb, to, kind) for to in receivers for kind in made}
    return edges


def _outermost(what: ast.expr) -> set[str]:
    """What names the message that is sent: not what it holds, a write in a unit for one."""
    message = what.body if isinstance(what, ast.Lambda) else what
    named = message.func if isinstance(message, ast.Call) else message
    return {node.id for node in ast.walk(named) if isinstance(node, ast.Name)}


def _sending(call: ast.Call) -> tuple[str, ast.expr, ast.expr] | None:
    """Verb, mailbox and message, if it sends one; what is ``posted`` or a ``commit`` is asked."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in VERBS:
        return call.func.attr, call.func.value, call.args[0]
    if isinstance(call.func, ast.Name) and call.func.id == "posted":
        return "ask", call.args[0], call.args[1]
    if isinstance(call.func, ast.Name) and call.func.id == "commit":
        return "ask", call.args[0], ast.Name("Commit")
    return None


def _mailboxes(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            annotation = ast.unparse(node.annotation).removesuffix(" | None")
            found = re.fullmatch(r"Mailbox\[(\w+)Message\]", annotation)
            if found:
                yield node.target.id, snake(found[1])


def _loops(tree: ast.AST, boxes: dict[str, str]) -> Iterator[tuple[str, set[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            receivers = _named(node.iter, boxes, {})
            if receivers:
                yield node.target.id, receivers


def _named(expression: ast.AST, boxes: dict[str, str], loops: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(expression):
        if isinstance(node, ast.Attribute) and node.attr in boxes:
            found.add(boxes[node.attr])
        elif isinstance(node, ast.Name) and node.id in loops:
            found |= loops[node.id]
    return found


def _variables(
    function: ast.FunctionDef | ast.AsyncFunctionDef, kinds: frozenset[str]
) -> Iterator[tuple[str, str]]:
    for argument in function.args.args:
        if argument.annotation is not None and ast.unparse(argument.annotation) in kinds:
            yield argument.arg, ast.unparse(argument.annotation)
    lists = {
        argument.arg: ast.unparse(argument.annotation)[5:-1]
        for argument in function.args.args
        if argument.annotation is not None and ast.unparse(argument.annotation).startswith("list[")
    }
    for node in ast.walk(function):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            kind = lists.get(ast.unparse(node.iter), "")
            if kind in kinds:
                yield node.target.id, kind
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            made = ast.unparse(node.value.func)
            if made in kinds:
                yield from ((t.id, made) for t in node.targets if isinstance(t, ast.Name))


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def unions() -> dict[str, set[str]]:
    """What each actor takes, by the unions of its subject's messages."""
    return {
        snake(target.id.removesuffix("Message")): {
            name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)
        }
        for module in MESSAGES
        for node in ast.parse(text_of(module)).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.endswith("Message")
    }


KINDS: frozenset[str] = frozenset(kind for taken in unions().values() for kind in taken)


# Modules that send in the name of an actor, by their places in ``actors``.
PARTS = {
    "dreaming": ("reader/reading",),
    "embedder": ("memory/links", "passages/passages"),
    "extraction": ("passages/passages",),
    "gate": ("gate/neighbours",),
    "recall": ("recall/briefing", "recall/channels", "recall/contexts", "recall/archive"),
    "session_reader": ("reader/reading", "reader/keeping"),
    "working_memory": ("session/prospective",),
}


@cache
def edges() -> frozenset[Edge]:
    found: set[Edge] = set()
    for name in host.ORDER:
        (module,) = ACTORS.glob(f"*/{name}.py")
        for part in (module, *(ACTORS / f"{part}.py" for part in PARTS.get(name, ()))):
            found |= edges_of(text_of(part), name, KINDS)
    return frozenset(found)


def waits_on(found: AbstractSet[Edge]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for edge in found:
        if edge.verb in WAITING:
            graph.setdefault(edge.sender, set()).add(edge.receiver)
    return graph


def circle(found: AbstractSet[Edge]) -> list[str]:
    """Actors that wait for each other in a circle; empty when there is none."""
    try:
        TopologicalSorter(waits_on(found)).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []


def test_whose_sendings_are_read_is_every_module_with_a_mailbox() -> None:
    sending = {
        one.relative_to(ACTORS).with_suffix("").as_posix()
        for one in ACTORS.rglob("*.py")
        if dict(_mailboxes(ast.parse(text_of(one))))
    }
    actors = {one for one in sending if one.rpartition("/")[2] in host.ORDER}

    assert sending - actors == {part for parts in PARTS.values() for part in parts}


def test_no_circle_of_actors_waits_for_itself() -> None:
    assert circle(edges()) == []


def test_an_actor_is_sent_only_what_its_union_names() -> None:
    taken = unions()

    assert [e for e in edges() if e.message not in taken[e.receiver]] == []


def test_the_daemon_sends_an_actor_only_what_its_union_names() -> None:
    taken = unions()
    sent = [
        (call.func.value.attr, name)
        for module in DAEMON.rglob("*.py")
        for call in ast.walk(ast.parse(text_of(module)))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in VERBS
        and isinstance(call.func.value, ast.Attribute)
        and ast.unparse(call.func.value.value).endswith("mailboxes")
        and isinstance(call.args[0], ast.Call)
        and (name := ast.unparse(call.args[0].func).rpartition(".")[2]) in KINDS
    ]

    assert len(sent) > 20
    assert [(actor, name) for actor, name in sent if name not in taken[actor]] == []


@pytest.mark.parametrize(
    ("verb", "expected"),
    [("tell", ["a", "b", "a"]), ("ask", ["a", "b", "a"]), ("offer", []), ("hint", [])],
)
def test_a_circle_would_be_noticed(verb: str, expected: list[str]) -> None:
    source = (
        "class One:\n"
        "    other: Mailbox[{}Message]\n"
        "    async def run(self, news: News) -> None:\n"
        "        await self.other.{}(news)\n"
    )
    kinds = frozenset({"News"})
    found = edges_of(source.format("B", "tell"), "a", kinds)
    found |= edges_of(source.format("A", verb), "b", kinds)

    noticed = circle(found)

    assert sorted(set(noticed)) == sorted(set(expected))


# ---- Everything has its place in a document ----------------------------------------


def test_every_actor_is_in_the_table_of_owners() -> None:
    assert first_cells(section("Who owns what")) == list(host.ORDER)


def test_no_room_of_the_product_has_more_than_forty_modules() -> None:
    modules = Counter(
        path.parent.relative_to(ROOT)
        for package in PRODUCT
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__init__.py"
    )

    assert not {room: count for room, count in modules.items() if count > MOST_MODULES}


def test_every_folder_of_the_product_says_what_belongs_there() -> None:
    assert not [
        folder
        for package in PRODUCT
        for path in (ROOT / package).rglob("*.py")
        if not ast.get_docstring(ast.parse(text_of(folder := path.parent / "__init__.py")))
    ]


def test_every_table_of_the_store_is_in_the_reference() -> None:
    text = "".join(text_of(path) for path in (DAEMON / "storage" / "tables").glob("*.sql"))
    made = set(re.findall(r"CREATE (?:VIRTUAL )?TABLE IF NOT EXISTS (\w+)", text))
    made -= set(re.findall(r"DROP TABLE IF EXISTS (\w+)", text))

    # Vectors' tables are made when a model is chosen, with that model's dimensions.
    of_vectors = ("memory_vector", "passage_vector")
    assert sorted(
        first_cells(section("Tables", ROOT / "docs" / "reference" / "tables.md"))
    ) == sorted([*made, *of_vectors])


def test_every_way_a_memory_ends_is_documented() -> None:
    checked = re.search(r"CHECK \(ended IN \((.*?)\)\)", statements("beginning"))
    assert checked
    endings = re.findall(r"'(\w+)'", checked[1])

    page = ROOT / "docs" / "inside" / "storage.md"

    assert first_cells(section("Ends of a memory", page)) == [*endings, "erased"]


def test_what_is_made_of_declarations_is_as_it_is_made() -> None:
    check = [sys.executable, "scripts/pages.py", "--check"]

    made = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (made.returncode, made.stderr) == (0, "")


def code_of(page: Path) -> list[str]:
    """The lines of a page's code: fenced, indented or within a sentence."""
    fences = re.findall(r"^```\w*\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL)
    fenced = [line for block in fences for line in block.splitlines()]
    indented = re.findall(r"^ {4,}(.*)$", text_of(page), re.MULTILINE)
    return [*fenced, *indented, *re.findall(r"`([^`\n]+)`", text_of(page))]


def test_every_reason_why_a_prompt_is_told_something_or_not_is_in_the_commands_page() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")

    assert [fate for fate in Fate if fate not in page] == []


def test_no_document_shows_a_command_that_is_not_there() -> None:
    there = {*HELP, "daemon"}  # which cli.py knows before the table is loaded
    shown = {
        (page.relative_to(ROOT).as_posix(), command)
        for page in DOCUMENTS
        for line in code_of(page)
        for command in re.findall(r"^(?:\$ |\S*/)?reverie ([a-z]+(?:-[a-z]+)*)", line)
    }

    assert shown
    assert {(page, command) for page, command in shown if command not in there} == set()


# ---- What stands in the documents ---------------------------------------------------


def test_every_decision_is_linked_from_the_architecture() -> None:
    page = text_of(ARCHITECTURE)

    assert [adr.name for adr in ADRS if f"(docs/adr/{adr.name})" not in page] == []


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [int(adr.name[:4]) for adr in ADRS] == list(range(1, len(ADRS) + 1))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the usual hosts make them."""
    titles = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether what a link is relative to has what it names; one with a scheme is not relative."""
    target, _, anchor = link.partition("#")
    there = page.parent / target if target else page
    is_there = there.exists() and (not anchor or anchor in anchors(there))
    return is_there or re.match(r"[a-z]+:", link) is not None


def test_every_relative_link_leads_somewhere() -> None:
    links = {
        (page.relative_to(ROOT).as_posix(), link)
        for page in DOCUMENTS
        for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page))
    }

    assert {(page, link) for page, link in links if not leads_somewhere(ROOT / page, link)} == set()


PAGES = sorted(
    page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "adr" and page != INDEX
)


def test_every_module_that_a_guide_names_is_there() -> None:
    """Decisions and measurements are of their day, and the changelog of its version."""
    modules = {
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in (*PRODUCT, "scripts", "tests")
        for path in (ROOT / folder).rglob("*.py")
    }
    guides = {ROOT / "README.md", ROOT / "AGENTS.md", ARCHITECTURE, *PAGES}
    named = {
        (page.relative_to(ROOT).as_posix(), name)
        for page in guides
        if page.parent.name != "measured"
        for name in re.findall(r"`([\w/]+\.py)`", text_of(page))
    }

    gone = {
        (page, name) for page, name in named if not any(one.endswith(f"/{name}") for one in modules)
    }
    assert gone == {("docs/testing.md", "api.py")}  # which the reader of that page writes


def test_every_page_says_first_whose_question_it_answers() -> None:
    firsts = {page.name: text_of(page).split("\n\n")[1] for page in PAGES}

    assert {
        name: line for name, line in firsts.items() if not line.startswith("For whoever ")
    } == {}


def test_the_index_has_every_page() -> None:
    listed = re.findall(r"\]\(([^)#\s]+)\)", text_of(INDEX))

    assert {
        page for page in PAGES if page.relative_to(INDEX.parent).as_posix() not in listed
    } == set()


# A path of somebody's machine, or the host of a package registry.
PRIVATE = re.compile(
    r"/(?:root|wor[k]|tmp/la[b])/[a-z]|\b(?:py(?:pi)|pythonhosted|npmjs)\.(?:org|com)\b"
)


def test_every_module_with_slow_tests_is_in_the_table_of_them() -> None:
    table = section("What only `make test-all` runs", ROOT / "docs" / "testing.md")
    tests = ROOT / "tests"
    slow = {
        str(path.relative_to(tests))
        for path in tests.rglob("test_*.py")
        if SLOW.search(text_of(path))
    }

    assert slow == {*first_cells(table)}


def test_no_document_names_a_private_path_or_a_registry() -> None:
    found = {
        page.relative_to(ROOT).as_posix(): PRIVATE.findall(text_of(page)) for page in DOCUMENTS
    }

    assert {page: names for page, names in found.items() if names} == {}


def test_an_item_of_the_changelog_is_a_few_lines_of_usual_width() -> None:
    lines = text_of(ROOT / "CHANGELOG.md").splitlines()
    items = "\n".join(lines).split("\n- ")

    assert [line for line in lines if len(line) > 120 and not line.startswith("| ")] == []
    assert [item for item in items if item.partition("\n\n")[0].count("\n") > 5] == []


def test_the_agents_page_is_short() -> None:
    assert len(text_of(ROOT / "AGENTS.md").splitlines()) <= 60


def test_the_readme_names_the_make_targets_that_there_are() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = {
        target
        for page in DOCUMENTS
        for target in re.findall(r"(?:`|^|\s{4})make ([a-z-]+)", text_of(page), re.MULTILINE)
    }

    assert named <= targets
    assert {"setup", "demo", "test", "test-all"} <= named
