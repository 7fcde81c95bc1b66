"""Pages: a memory as a read-only document with the address ``reverie://memory/ID.md``.

Pure. Search results, and the answer to *Why this memory?*, need somewhere to lead. A
memory is in no file, and writing one for the editor's sake would put its text where
*forget* and *erase* do not reach. So it gets an address of its own scheme; the editor
asks for its text with the protocol's own ``workspace/textDocumentContent`` (3.18).
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any
from urllib.parse import quote, unquote

from lsprotocol import types

from daemon.requests.memories import MemoryView, Shown
from daemon.requests.recall import Scored
from daemon.requests.wording import DECIDED, about_line, counted
from lsp.hovers import age, name, one_line

SCHEME = "reverie"
_PREFIX = f"{SCHEME}://memory/"
_SUFFIX = ".md"
NAME = 80  # characters of a search result
MOST = 50  # search results
_TELLING = ("action", "reason", "what", "detail")  # what happened: its own words tell it


def address(id: str) -> str:  # noqa: A002 - the wire's own word
    """Address at which an editor finds this memory."""
    return f"{_PREFIX}{quote(id, safe='')}{_SUFFIX}"


def memory_at(uri: str) -> str | None:
    """The id of the memory at this address; ``None`` when it is not one of ours."""
    if not uri.startswith(_PREFIX) or not uri.endswith(_SUFFIX):
        return None
    return unquote(uri[len(_PREFIX) : -len(_SUFFIX)]) or None


def symbols(found: Iterable[Scored], prefix: str = "") -> list[types.WorkspaceSymbol]:
    """Search results as symbols, best first, each name behind the prefix."""
    start = types.Position(0, 0)
    return [
        types.WorkspaceSymbol(
            name=prefix + name(one, NAME),
            kind=types.SymbolKind.String,
            container_name=_container(one),
            location=types.Location(address(one.id), types.Range(start, start)),
        )
        for one in islice(found, MOST)
    ]


def found_at(one: Scored | MemoryView) -> dict[str, str]:
    """A search result for an editor's own list: its title, what it is, and where its page is."""
    return {"title": name(one, NAME), "about": _container(one), "uri": address(one.id)}


def _container(found: Scored | MemoryView) -> str:
    scope = found.project.rstrip("/").rpartition("/")[2] if found.project else "everywhere"
    return f"{found.kind} · {scope}"


def page(shown: Shown, now: float) -> str:
    """The memory with everything a person may ask about it."""
    memory = shown.memory
    parts = [
        f"# {one_line(memory.title or memory.kind)}",
        memory.text.strip(),
        "## Why it is shown",
        "\n".join(_reasons(shown)),
        "## What it is",
        "\n".join(_facts(memory, now)),
    ]
    if shown.decisions:
        parts += ["## What was decided about it", _entries(shown.decisions, now)]
    if shown.history:
        parts += ["## What happened to it", _entries(shown.history, now)]
    return "\n\n".join(parts) + "\n"


def _reasons(shown: Shown) -> Iterable[str]:
    memory = shown.memory
    for one in shown.about:
        yield f"- It is about {one_line(about_line(one))}"
    if memory.triggers:
        yield f"- Text that says one of: {', '.join(f'“{phrase}”' for phrase in memory.triggers)}"
    elif not shown.about:
        yield "- No phrase leads to it: it is found by searching."
    yield f"- It comes to mind today with a probability of {100 * memory.retrievability:.0f} %"
    yield f"- Used {counted(memory.uses, 'time')}, shown {counted(memory.exposures, 'time')}"


def _facts(memory: MemoryView, now: float) -> Iterable[str]:
    tier = "" if memory.tier == "normal" else f", {memory.tier}"
    yield f"- {memory.kind}{tier}{', pinned' if memory.pinned else ''}"
    yield f"- For: {memory.project or 'everywhere'}"
    yield f"- Origin: {memory.origin}, {age(now - memory.created_at)}"
    yield f"- Changed {age(now - memory.updated_at)}, {counted(memory.versions, 'version')}"
    if memory.stale:
        yield f"- Stale: {one_line(memory.stale)}"
    if memory.ended:
        yield f"- Ended: {memory.ended}"
    if memory.superseded_by:
        yield f"- Superseded by {memory.superseded_by}"
    yield f"- Id: {memory.id}"


def _entries(entries: Iterable[dict[str, Any]], now: float) -> str:
    return "\n".join(_entry(entry, now) for entry in entries)


def _entry(entry: dict[str, Any], now: float) -> str:
    at = entry.get("at")
    when = f"{age(now - at)}: " if isinstance(at, int | float) else ""
    said = {key: value for key, value in entry.items() if key not in ("at", "memory")}
    told = (_told(key, value) for key, value in said.items() if value is not None and value != "")
    return f"- {when}{', '.join(told)}"


def _told(key: str, value: Any) -> str:
    if key in _TELLING:
        return DECIDED.get(str(value), str(value))
    return f"{key} {value:.2f}" if isinstance(value, float) else f"{key} {value}"


def summary(shown: Shown, now: float) -> str:
    """A few lines for editors that cannot open an address of ours."""
    memory = shown.memory
    return "\n".join(
        [memory.title or memory.kind, memory.text.strip(), *_reasons(shown), *_facts(memory, now)]
    )
