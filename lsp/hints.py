"""What an editor shows at a line: hints, hovers and actions."""

import json
import re
import textwrap
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any
from unicodedata import category
from urllib.parse import quote

from lsprotocol import types
from msgspec import Struct

from daemon.shapes.memory import MatchView, MemoryView
from daemon.shapes.results import Scored
from lsp.documents import Encoding, Place, content, units
from lsp.editor import HoverOn

# ---- hints: matches shown at the end of their line, and their labels
#
# Pure. Few: one a line, a handful in an editor's window, each memory once in a file. The choice looks
# at the whole document and not at the range an editor asks for, so scrolling (VS Code asks for the
# window, Neovim for the whole file) never changes it.

WINDOW = 50  # lines: about what an editor shows at once
LABEL = 40  # characters, with the mark
MARK = "· "
STALE = " (stale)"


def chosen(
    places: Iterable[Place], *, min_score: float, most: int, muted: Collection[str]
) -> list[Place]:
    """The places for a hint, in order of their line.

    Each memory once in the file, at its best place, the first of equals. Of several memories the
    best scores first, then the one whose name calls fewer on its line, then the newest; one a line,
    at most ``most`` in any ``WINDOW`` lines.
    """
    wanted = (p for p in places if p.memory.score >= min_score and p.memory.id not in muted)
    taken: list[int] = []
    result: list[Place] = []
    for place in in_turn(wanted):
        if has_room(taken, place.line, most):
            insort(taken, place.line)
            result.append(place)
    return sorted(result, key=lambda p: p.line)


def has_room(lines: Sequence[int], line: int, most: int) -> bool:
    """Return whether a line may have a hint beside the others, at most ``most`` in a window."""
    left = bisect_left(lines, line - WINDOW + 1)
    near = [*lines[left : bisect_right(lines, line + WINDOW - 1)]]
    if line in near:
        return False
    insort(near, line)
    return all(near[i + most] - near[i] >= WINDOW for i in range(len(near) - most))


def label(memory: MatchView) -> str:
    """Name the memory in at most ``LABEL`` characters on one line: the title, else the text.

    The symbol at its beginning is left out: the line itself has it. The hover tells a stale one's
    subject, and its fate.
    """
    after = STALE if memory.stale else ""
    return MARK + cut(_behind_symbol(memory), LABEL - len(MARK) - len(after)) + after


def _behind_symbol(memory: MatchView) -> str:
    words = one_line(memory.title or memory.text)
    if not memory.anchored:
        return words
    behind = words.lstrip("`").removeprefix(memory.phrase)
    ends = behind[:1] in ("`", ":", ",", " ")
    return (ends and behind.lstrip("`:, ")) or words


def hint(place: Place, line: str, encoding: Encoding, tooltip: str) -> types.InlayHint:
    """The hint behind the last character of ``line``; its data is for editors painting it."""
    return types.InlayHint(
        position=types.Position(place.line, units(content(line), encoding)),
        label=label(place.memory),
        tooltip=tooltip,
        padding_left=True,
        data={"id": place.memory.id, "stale": bool(place.memory.stale)},
    )


# ---- hovers: a memory, and why it is shown here, in at most twelve lines
#
# Pure. A memory's text is data, and an editor renders a hover as Markdown, which can
# load pictures: so the text stands in a fenced block, which renders nothing.

WIDTH = 76  # characters: editors do not wrap a fenced block
_AT_ONCE = 2  # memories told in one hover
_MARKUP = re.compile(r"([\\`*_\[\]<>!|~#])")
_ESCAPED = re.compile(r"\\([\\`*_\[\]<>!|~#])")

_JOINER = "\u200d"

LINKS = {
    "Useful": "reverie.useful",
    "Not useful here": "reverie.notUseful",
    "Why?": "reverie.why",
    "Forget": "reverie.forget",
}
"""Commands behind a hover's links, by their words."""

_AGES = (
    (365 * 86400, "year"),
    (30 * 86400, "month"),
    (86400, "day"),
    (3600, "hour"),
    (60, "minute"),
)


def asked(
    places: Sequence[Place], line: int, column: int, on: HoverOn, min_score: float
) -> list[Place]:
    """The places under a pointer, best first.

    The ones under it; else, where ``on`` is ``line``, the ones of its line fit for hints.
    """
    if on == "off":
        return []
    at = line, column
    under = [p for p in places if (p.line, p.start) <= at <= (p.last_line, p.end)]
    if under or on == "word":
        return in_turn(under)
    return in_turn(
        place
        for place in places
        if place.line <= line <= place.last_line and place.memory.score >= min_score
    )


def distinct(places: Iterable[Place]) -> list[Place]:
    """The best place of each memory, best first."""
    best: dict[str, Place] = {}
    for place in sorted(places, key=lambda place: -place.memory.score):
        best.setdefault(place.memory.id, place)
    return list(best.values())


def in_turn(places: Iterable[Place]) -> list[Place]:
    """Order the best place of each memory: each name on a line has its say before any has two.

    The best score goes first, then the name of fewer memories there, then the newest.
    """
    best = distinct(places)
    callers = Counter((place.line, place.memory.phrase) for place in best)
    said: Counter[tuple[int, str]] = Counter()
    turns: list[tuple[int, Place]] = []
    for place in sorted(best, key=lambda p: _standing(p, callers[p.line, p.memory.phrase])):
        said[place.line, place.memory.phrase] += 1
        turns.append((said[place.line, place.memory.phrase], place))
    return [place for _, place in sorted(turns, key=lambda turn: turn[0])]


def _standing(place: Place, callers: int) -> tuple[float, int, float]:
    return -place.memory.score, callers, -place.memory.created_at


def hover_text(
    memories: Sequence[MatchView], now: float, *, links: bool = False, plain: bool = False
) -> str:
    """The Markdown of one hover; ``now`` in seconds since the epoch.

    ``links``: with the actions on each, for an editor with ``command:`` links. ``plain``: for an
    editor without Markdown.
    """
    shown = memories[:_AT_ONCE]
    room = 6 if len(shown) == 1 else 1
    rest = len(memories) - len(shown)
    blocks = ["\n".join(_block(memory, now, room, links=links, plain=plain)) for memory in shown]
    return "\n\n".join(blocks) + (f"\n· and {rest} more on this line" if rest else "")


def _block(memory: MatchView, now: float, room: int, *, links: bool, plain: bool) -> list[str]:
    said = one_line(memory.title).removesuffix("…")
    repeated = said and one_line(memory.text).startswith(said)
    title = [] if repeated else [one_line(memory.title or memory.kind)]
    text = shortened(memory.text, room)
    why = f"because of “{literal(memory.phrase)}” · {facts(memory, now)}"
    if links:
        bold = [f"**{literal(words)}**" for words in title]
        return [*bold, *_fenced(text), why, "", linked(memory.id)]
    # Neovim renders a fence, and shows the backslash of an escape: all of it is in the fence.
    lines = [*title, *text, unescaped(why)]
    return lines if plain else _fenced(lines)


def _fenced(lines: Sequence[str]) -> list[str]:
    """The lines as a block in which nothing is markup."""
    longest = max(map(len, re.findall("`+", "\n".join(lines))), default=0)
    fence = "`" * max(3, 1 + longest)
    return [f"{fence}text", *lines, fence]


def linked(id_: str, between: str = " · ") -> str:
    """Links for our commands about a memory."""
    argument = quote(json.dumps([{"id": id_}]), safe="")
    return between.join(
        f"[{word}](command:{command}?{argument})" for word, command in LINKS.items()
    )


def shortened(text: str, lines: int) -> list[str]:
    """The text in at most so many lines of ``WIDTH`` characters."""
    wrapped = [
        piece
        for line in text.strip().splitlines()
        for piece in textwrap.wrap(one_line(line), WIDTH) or [""]
    ]
    if len(wrapped) > lines:
        wrapped = wrapped[:lines]
        wrapped[-1] = wrapped[-1][: WIDTH - 1] + "…"
    return wrapped


def facts(memory: MatchView, now: float) -> str:
    """Kind, age and origin in one line."""
    words = [memory.kind, age(now - memory.created_at), memory.origin]
    words += ["unconfirmed"] if memory.status == "hypothesis" else []
    words += [] if memory.valid else ["not true any more"]
    words += [f"({memory.stale})"] if memory.stale else []
    return " · ".join(literal(word) for word in words if word)


def age(seconds: float) -> str:
    """A length of time in words: ``3 days ago``."""
    for length, unit in _AGES:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def name(memory: MatchView | Scored | MemoryView, room: int) -> str:
    """The title, else how the text begins, on one line of at most ``room`` characters."""
    return cut(one_line(memory.title or memory.text), room)


def cut(words: str, room: int) -> str:
    """Cut words longer than ``room`` characters."""
    return words if len(words) <= room else words[: room - 1].rstrip() + "…"


def literal(text: str) -> str:
    """The text on one line, with Markdown's markup escaped."""
    return _MARKUP.sub(r"\\\1", one_line(text))


def unescaped(markdown: str) -> str:
    """The text as it is read where no Markdown is rendered; undoes ``literal``."""
    return _ESCAPED.sub(r"\1", markdown)


def one_line(text: str) -> str:
    """The text on one line, without invisible characters.

    A control character or a change of the writing direction in a memory must not
    rearrange the line of code beside it. The joiner stays: emoji are made with it.
    """
    words = " ".join(text.split())
    if words.isprintable():
        return words
    return "".join(c for c in words if c == _JOINER or category(c) not in ("Cc", "Cf", "Cs"))


def hover(
    places: Sequence[Place],
    lines: Sequence[str],
    encoding: Encoding,
    now: float,
    *,
    links: bool = False,
) -> types.Hover:
    """The hover about the places, and the text it belongs to. There must be one."""
    first = places[0]
    start, end = lines[first.line][: first.start], lines[first.last_line][: first.end]
    return types.Hover(
        contents=types.MarkupContent(
            types.MarkupKind.Markdown,
            hover_text([place.memory for place in places], now, links=links),
        ),
        range=types.Range(
            types.Position(first.line, units(start, encoding)),
            types.Position(first.last_line, units(end, encoding)),
        ),
    )


# ---- actions: on a shown memory, and on a selection
#
# Pure. The order is always the same, each action is a command the server carries out (a command of
# the client's own does nothing in Neovim), and nothing is offered to an editor asking for another
# kind, so saving a file never waits for us.

MEMORY = "reverie.memory"
REMEMBER = "reverie.remember"
ABOUT = "reverie.about"

MOST = 2  # memories that get actions in one place
TITLE = 32  # characters of a memory in an action's title


class Named(Struct, frozen=True):
    """A memory, and how it is called where there is little room."""

    id: str
    name: str
    uri: str | None = None  # of the file that shows it


def offered(
    memories: Sequence[MatchView],
    *,
    selection: types.Range | None,
    document: types.VersionedTextDocumentIdentifier,
    only: Collection[str] | None,
) -> list[types.CodeAction]:
    """The actions at one place; ``selection`` is ``None`` when nothing is selected."""
    actions: list[types.CodeAction] = []
    if _wanted(types.CodeActionKind.QuickFix, only):
        for memory in memories[:MOST]:
            title = f"Memory: “{name(memory, TITLE)}”…"
            argument = {"id": memory.id, "uri": document.uri}
            actions.append(_quick_fix(title, MEMORY, argument))
    if selection is not None and _wanted(types.CodeActionKind.Refactor, only):
        actions.append(_remember(selection, document))
    return actions


def about_file(uri: str, summary: str, only: Collection[str] | None) -> list[types.CodeAction]:
    """The action on the quiet line of a file."""
    if not _wanted(types.CodeActionKind.QuickFix, only):
        return []
    return [_quick_fix(f"Show {summary}", ABOUT, {"uri": uri})]


def _wanted(kind: str, only: Collection[str] | None) -> bool:
    return only is None or any(kind == asked or asked == "" for asked in only)


def _quick_fix(title: str, command: str, argument: dict[str, Any]) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        command=types.Command(title=title, command=command, arguments=[argument]),
    )


def _remember(
    selection: types.Range, document: types.VersionedTextDocumentIdentifier
) -> types.CodeAction:
    title = "Remember selection"
    # The place and not the text: an editor asks for actions at every move of a selection.
    argument = {
        "uri": document.uri,
        "version": document.version,
        "start": [selection.start.line, selection.start.character],
        "end": [selection.end.line, selection.end.character],
    }
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.Refactor,
        command=types.Command(title=title, command=REMEMBER, arguments=[argument]),
    )
