"""Blocks of a section: its paragraphs, items of lists and rows of tables.

Hard wraps are undone, markup is taken off; code, quotations, comments, headers of tables and rules
are left out. One pass over the lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.documents.sections import Section, prose_lines
from actors.policy.patterns import pattern
from actors.policy.text.words import caseless

LONGEST: Final = 4_000  # characters of a block; a longer one is no prose


class Shape(Enum):
    """Shape of a block."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """One statement of a document."""

    line: int  # its first in the document, from 1
    shape: Shape
    text: str  # one line, without markup but for code in backticks
    lead: str = ""  # the words in bold that it begins with, or its first cell
    above: str = ""  # lead, or beginning, of what introduces a list: of the item or paragraph above
    is_done: bool = False  # ticked, or struck through
    columns: str = ""  # header of its table


@dataclass(slots=True)
class _Open:
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
            goes_on = bool(parents) and text.startswith((" ", "\t"))
            if not goes_on:
                parents.clear()
            above = parents[-1][1] if goes_on else ""
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
