"""Sections of a Markdown document, each with the path of headings above; its blocks, its purpose.

Headings are ATX and setext, as CommonMark has them, outside fenced code, comments and front matter. Fenced code
stays in the text of its section: who reads items leaves it out, who searches passages does not.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.references.naming import GENERATED
from actors.policy.text.wording import one_line
from actors.policy.text.words import caseless, expressions, word_list

_EXPRESSIONS: Final = expressions(__name__)

HEADING: Final = 200  # characters of a heading

_ATX: Final = pattern(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_UNDERLINE: Final = pattern(r" {0,3}(?:=+|-{2,})[ \t]*")
_FENCE: Final = pattern(r" {0,12}(`{3,}|~{3,})(.*)")  # also within an item of a list
# A line of another block: an underline below it makes no heading of it.
_OTHER_BLOCK: Final = pattern(r" {4}|\t| {0,3}(?:[-*+>|]|\d{1,9}[.)] )")


class Section(Struct, frozen=True):
    """Text below one heading up to the next, of whatever level."""

    headings: tuple[str, ...]  # the document's first; empty before the first heading
    first_line: int  # of the text in the document, from 1
    text: str  # without the heading's own line; never blank


class Line(Struct, frozen=True):
    """One line of a document."""

    number: int  # from 1
    text: str
    is_prose: bool  # neither fenced code nor a fence


def sections(text: str) -> tuple[Section, ...]:
    """Cut a document at its headings; a section without text is left out."""
    headings: list[tuple[int, str]] = []
    found: list[Section] = []
    gathered: list[Line] = []

    def close() -> None:
        kept = [line.text for line in gathered]
        start = next((at for at, line in enumerate(kept) if line.strip()), None)
        if start is not None:
            titles = tuple(title for _, title in headings)
            text = "\n".join(kept[start:]).rstrip()
            found.append(Section(titles, gathered[start].number, text))
        gathered.clear()

    for line in prose_lines(text):
        if not line.is_prose:
            gathered.append(line)
        elif (atx := _ATX.fullmatch(line.text)) is not None:
            close()
            _enter(headings, len(atx[1]), _closed(atx[2] or ""))
        elif _UNDERLINE.fullmatch(line.text) and _is_underlined(gathered):
            title = gathered.pop().text
            close()
            _enter(headings, 1 if "=" in line.text else 2, title)
        else:
            gathered.append(line)
    close()
    return tuple(found)


def prose_lines(text: str, first: int = 1) -> Iterator[Line]:
    """Number the lines of a text and tell prose from fenced code; front matter is left out."""
    lines = text.splitlines()
    fence = ""
    skipped = 0  # metadata between two ``---`` at the very beginning
    if lines and lines[0].rstrip() == "---":
        closing = (at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---")
        skipped = next(closing, -1) + 1
    for number, line in enumerate(lines[skipped:], first + skipped):
        marker = _FENCE.fullmatch(line)
        if marker is None:
            yield Line(number, line, not fence)
            continue
        yield Line(number, line, is_prose=False)
        if not fence:
            # An info string with a backtick is inline code on a line of its own.
            fence = "" if marker[1][0] == "`" and "`" in marker[2] else marker[1]
        elif marker[1].startswith(fence) and not marker[2].strip():
            fence = ""


def _enter(headings: list[tuple[int, str]], level: int, title: str) -> None:
    while headings and headings[-1][0] >= level:
        headings.pop()
    headings.append((level, one_line(title, HEADING)))


def _closed(title: str) -> str:
    """A title without its closing hashes, which stand after a space."""
    bare = title.rstrip().rstrip("#")
    return bare if not bare or bare[-1] in " \t" else title


def _is_underlined(gathered: Sequence[Line]) -> bool:
    """Tell whether the last line is a paragraph of one line, which an underline makes a heading."""
    if not gathered or not gathered[-1].is_prose or not gathered[-1].text.strip():
        return False
    alone = len(gathered) == 1 or not gathered[-2].text.strip()
    return alone and _OTHER_BLOCK.match(gathered[-1].text) is None


# ---- blocks of a section: its paragraphs, items of lists and rows of tables
#
# Hard wraps are undone, markup is taken off; code, quotations, comments, headers of tables and rules
# are left out. One pass over the lines.


LONGEST: Final = 4_000  # characters of a block; a longer one is no prose


class Shape(Enum):
    """Shape of a block."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"


class Block(Struct, frozen=True):
    """One statement of a document."""

    line: int  # its first in the document, from 1
    shape: Shape
    text: str  # one line, without markup but for code in backticks
    lead: str = ""  # the words in bold that it begins with, or its first cell
    above: str = ""  # lead, or beginning, of what introduces a list: of the item or paragraph above
    is_done: bool = False  # ticked, or struck through
    columns: str = ""  # header of its table


class _Open(Struct):
    """A block not yet read to its end."""

    line: int
    shape: Shape
    lines: list[str]
    above: str = ""


_ITEM: Final = pattern(r"\A([ \t]*+)(?:[-*+•]|\d{1,3}[.)])[ \t]++(\S.*)")
_ROW: Final = pattern(r"\A[ \t]*+\|")
_RULED: Final = pattern(r"\A[ \t|:]*+-[ \t|:-]*+\Z")  # between a table's header and its rows
_SKIPPED: Final = pattern(r"\A[ \t]*+(?:>|<|!\[|\[\^|[-*_]{3,}+[ \t]*+\Z|\[[^\]\n]{1,80}\]:)")
_TICK: Final = pattern(r"\[([ xX~-])\][ \t]+")
_DONE: Final = pattern(r"\A\W{0,4}[✅☑✔]|\A\W{0,4}~~|[✅☑✔]\W*\Z|\b(?:DONE|FIXED|RESOLVED)\b")
_LEAD: Final = pattern(r"(?:\*\*|__)([^*\n]{2,200}?)(?:\*\*|__)")
_LINK: Final = pattern(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_WIKI: Final = pattern(r"\[\[([^\[\]\n]{1,200})\]\]")
_EMPHASIS: Final = pattern(
    r"\*\*|__(?=\S)|(?<=\S)__|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|~~"
)
_TAG: Final = caseless(r"<!--[^>]{0,2000}-->|</?[a-z][^<>\n]{0,200}>")


def blocks(section: Section) -> Iterator[Block]:
    """Yield the statements of a section, in its order."""
    for opened in _opened(section):
        text = " ".join(" ".join(opened.lines).split())
        if 0 < len(text) <= LONGEST:
            yield _row(opened, text) if opened.shape is Shape.ROW else _block(opened, text)


def plain(text: str) -> str:
    """A text without links' targets, emphasis and tags; code stays in its backticks."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick without its other
        return _bare(text)
    return "`".join(part if at % 2 else _bare(part) for at, part in enumerate(parts))


def _bare(text: str) -> str:
    return _EMPHASIS.sub("", _WIKI.sub(r"\1", _LINK.sub(r"\1", _TAG.sub("", text))))


def _block(opened: _Open, text: str) -> Block:
    tick = _TICK.match(text)
    text = text[tick.end() :] if tick else text
    bold = _LEAD.match(text)
    done = (tick is not None and tick[1] != " ") or _DONE.search(text[:400]) is not None
    lead = plain(bold[1]).strip(" :.—–-") if bold else ""
    return Block(opened.line, opened.shape, plain(text), lead, opened.above, done)


def _row(opened: _Open, text: str) -> Block:
    """A row by its cells: the first one leads, the others are told with the names of their columns."""
    columns, cells = _cells(opened.above), _cells(text)
    told = [
        f"{name}: {cell}" if name and at > 1 else cell
        for at, (name, cell) in enumerate(zip(columns, cells, strict=False))
        if at and cell not in ("", "-", "—", "–")
    ]
    lead = cells[0] if cells else ""
    body = ". ".join(one.rstrip(". ") for one in told)
    done = _DONE.search(text[:400]) is not None
    text = f"{lead}: {body}" if body else ""
    return Block(opened.line, Shape.ROW, text, lead, is_done=done, columns=opened.above)


def _cells(row: str) -> list[str]:
    return [plain(cell).strip() for cell in row.strip().strip("|").replace("\\|", "¦").split("|")]


def _opened(section: Section) -> Iterator[_Open]:
    """Yield the raw blocks; a row has its table's header in ``above``."""
    current: _Open | None = None
    parents: list[tuple[int, str]] = []  # the items that the next one may lie below
    introduced = ""  # the paragraph before a list, when it ends in a colon
    header = ""
    for line in prose_lines(section.text, section.first_line):
        text = line.text
        item = _ITEM.fullmatch(text) if line.is_prose else None
        ends = not line.is_prose or not text.strip() or _SKIPPED.match(text) is not None
        row = _ROW.match(text) is not None
        if current is not None and (ends or item is not None or row):
            introduced = _introduction(current, introduced)
            yield current
            current = None
        if row and line.is_prose:
            if _RULED.fullmatch(text):
                continue
            if header:
                yield _Open(line.number, Shape.ROW, [text], above=header)
            else:
                header = text
            continue
        header = "" if text.strip() else header
        if ends:
            continue
        if item is not None:
            indent = len(item[1].expandtabs(4))
            while parents and parents[-1][0] >= indent:
                parents.pop()
            above = parents[-1][1] if parents else introduced
            parents.append((indent, _beginning(item[2])))
            current = _Open(line.number, Shape.ITEM, [item[2]], above)
        elif current is not None:
            current.lines.append(text.strip())
        else:
            if not text.startswith((" ", "\t")):
                parents.clear()
            above = parents[-1][1] if parents else ""
            current = _Open(line.number, Shape.PARAGRAPH, [text.strip()], above=above)
    if current is not None:
        yield current


def _introduction(closed: _Open, before: str) -> str:
    """Find the introduction of a list that may follow."""
    if closed.shape is Shape.ITEM:
        return before
    text = closed.lines[-1]
    return _beginning(" ".join(closed.lines)) if text.rstrip(" *").endswith(":") else ""


def _beginning(text: str) -> str:
    bold = _LEAD.match(_TICK.sub("", text))
    return plain(bold[1] if bold else text).strip(" :.—–-")[:160]


# ---- recognising documents: prose of people and agents for later readers
#
# By the name and the folders of a path. Code, generated and vendored files, data of tests, licences,
# templates and roles for a model (skills, commands, agents) are none; nor are notes shared by others,
# read once a person trusts them (``daemon/share``).


class Purpose(Enum):
    """Purpose for which a document was written."""

    INSTRUCTIONS = "instructions"  # a client loads them into each session
    NOTE = "note"  # the agent's own: memories, handoffs, plans, lessons
    DESIGN = "design"  # decisions, designs, research
    GUIDE = "guide"  # anything else for readers
    RECORD = "record"  # deeds, tasks or requirements: an agent reads it anyway


# Of these something is learnt; the others can be searched alone (``actors.policy.passages``).
LEARNT: Final = frozenset({Purpose.NOTE, Purpose.DESIGN, Purpose.GUIDE})


_SUFFIXES: Final = (".md", ".mdx", ".markdown")
_INSTRUCTIONS: Final = word_list(__name__, "instructions")
_NO_DOCUMENTS: Final = word_list(__name__, "no_documents")
# By the stem of a name: of these every sentence is another's, or a form.
_NO_NAMES: Final = pattern(_EXPRESSIONS["no_names"])
# A list of what was done, or a requirement (docs/remembering.md).
_RECORDS: Final = caseless(r"(?:spec|requirements|tasks?|todo|changelog|changes|history|releases?)")
_NOTE_FOLDERS: Final = frozenset("memory memories handoff handoffs .handoffs notes plans".split())
_DESIGN_FOLDERS: Final = word_list(__name__, "design_folders")
_NOTES: Final = pattern(_EXPRESSIONS["notes"])
_DESIGNS: Final = pattern(_EXPRESSIONS["designs"])
# Where Claude Code keeps an agent's own memories and plans, outside of any project.
_OF_THE_AGENT: Final = pattern(r"/\.claude/(?:projects/[^/]+/memory|plans)/(.+)\Z")


def own_note(path: str) -> str:
    """Return the place of an agent's own note, which lies outside of any project; "" for another."""
    own = _OF_THE_AGENT.search(path)
    return f"memory/{own[1]}" if own is not None else ""


def purpose(place: str) -> Purpose | None:
    """Purpose of a document, by its place in the project; None for another file."""
    *folders, name = place.casefold().split("/")
    stem, dot, suffix = name.rpartition(".")
    if f"{dot}{suffix}" not in _SUFFIXES:
        return None
    if not (_NO_DOCUMENTS | GENERATED).isdisjoint(folders):
        return None
    if name in _INSTRUCTIONS:
        return Purpose.INSTRUCTIONS
    if _NO_NAMES.search(stem):
        return None
    if _RECORDS.fullmatch(stem):
        return Purpose.RECORD
    if _NOTES.search(stem) or not _NOTE_FOLDERS.isdisjoint(folders):
        return Purpose.NOTE
    if _DESIGNS.search(stem) or not _DESIGN_FOLDERS.isdisjoint(folders):
        return Purpose.DESIGN
    return Purpose.GUIDE
