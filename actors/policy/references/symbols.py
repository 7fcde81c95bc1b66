"""A symbol's own lines in a source file, by the indentation of its block.

No parser: a line defines a name by what stands before and after it (`def NAME`, `func (s *T) NAME(`,
`int NAME(int x) {`, `NAME = `, `"NAME":`, `NAME:` of a Makefile), and the block goes on while lines
are indented deeper, or close a bracket at the depth of the definition. Formatted code of the common
languages, braces or not, is laid out so; of code without indentation the first line is the symbol's
own. Every scan is linear in the file.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Final

WIDTH: Final = 400  # characters of a line that are read
LONGEST: Final = 2_000  # lines of one symbol
DEFINITIONS: Final = 8  # of one name in a file: overloads, methods of several classes
RENAMED: Final = 2  # lines at least of a symbol that is known again under another name
TRIED: Final = 24  # places of a name that no keyword defines: most are variables and arguments
NESTED: Final = 8  # definitions around a line, on average: more are not looked at
NAMES: Final = 6  # of a line that may define one
DIGEST: Final = 16  # bytes

# What stands right before a name that it defines.
_CONTAINERS: Final = frozenset(
    "class struct interface enum trait impl module namespace object protocol record union".split()
)
_FUNCTIONS: Final = frozenset("def function function* func fn fun sub proc defp".split())
_KEYWORDS: Final = (
    _CONTAINERS
    | _FUNCTIONS
    | frozenset(
        "type typedef const let var val mod macro #define"
        " macro_rules! table view index trigger exists defmodule".split()
    )
)
_VARIABLES: Final = frozenset("const let var val".split())
# What may stand before such a word, and before a name that is defined by what follows it.
_MODIFIERS: Final = frozenset(
    "public private protected internal static final abstract override virtual inline async export"
    " default readonly get set pub const constexpr extern unsafe local declare mut let var val"
    " -".split()
)
_SQL: Final = frozenset("create or replace temp temporary unique materialized if not".split())
# What makes a line with brackets a statement and no definition.
_STATEMENTS: Final = frozenset(
    "return if else elif while for switch case await yield new throw raise delete in of is and or"
    " not import from using require include assert del print echo goto do try catch with".split()
)
_RESERVED: Final = _KEYWORDS | _MODIFIERS | _STATEMENTS
_RECEIVER: Final = re.compile(r"func\s*\([^()]*\)")
_TYPED: Final = re.compile(r"[\w\s:<>,*&\[\]?.~@]+")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_ASSIGNED: Final = re.compile(r":(?!:)|[+?]?=(?!=)")
_VALUE: Final = re.compile(r" ?=(?!=)")  # of a constant or field with a type before its name
_QUOTES: Final = ('"', "'", "`")
_CLOSING: Final = (")", "}", "]", "{", "#", "end", ">")


@dataclass(frozen=True, slots=True)
class _Block:
    """A definition: its lines, and the word that says what is defined, if one does."""

    first: int
    end: int  # the line after it
    keyword: str
    depth: int


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol as a text defines it, in one place or in several."""

    line: int  # from 0, of the first place
    end: int  # the line after it
    keyword: str  # that says what is defined there; "" where only its place does
    lines: tuple[str, ...]  # its own, of all places
    sure: bool  # a word says so; of `A.b`: it is within A, or a method of it
    is_data: bool  # a constant, a variable or a field, and no code


def definition(text: str, symbol: str) -> Definition | None:
    """Find the definitions of ``symbol``; of `A.b` those of b within A. None when there is none.

    Of a class its header and members count and not what its methods do: those are symbols of
    their own. White space at both ends of a line is left out, and so are empty lines.
    """
    *around, name = parts(symbol)
    if name not in text:
        return None
    lines = text.split("\n")
    outer = _blocks(lines, around[-1], 0, len(lines)) if around else []
    within = [(one.first, one.end) for one in outer if one.keyword]
    blocks = [one for start, stop in within for one in _blocks(lines, name, start, stop)]
    sure = bool(blocks)
    if not blocks:
        blocks = _blocks(lines, name, 0, len(lines))
        if around:  # a method of Go that stands beside its type, a function by its module's name
            functions = [one for one in blocks if one.keyword in _FUNCTIONS]
            received = [one for one in functions if _receives(lines[one.first], around[-1])]
            blocks, sure = received or ([] if within else functions), bool(received)
    said = [one for one in blocks if one.keyword and not _is_data(lines, one, name)]
    kept = said or [one for one in blocks[:TRIED] if not _is_within_code(lines, one)]
    found = [line for one in kept[:DEFINITIONS] for line in _lines_of(lines, one)]
    own = tuple(stripped for line in found if (stripped := line.strip()))
    if not own:
        return None
    sure = sure or bool(said and not around)
    first = kept[0]
    return Definition(
        first.first, first.end, first.keyword, own, sure, _is_data(lines, first, name)
    )


def renamed(text: str, symbol: str, known: bytes) -> str:
    """Find the one symbol whose lines are those of ``symbol``, but for its name; else ""."""
    old = parts(symbol)[-1]
    joint = symbol[: -len(old)]
    lines = text.split("\n")
    found: set[str] = set()
    room = NESTED * len(lines)
    for first, line in enumerate(lines):
        for name, keyword in _defined_in(lines, first) if room > 0 else ():
            block = _Block(first, _end(lines, first, len(lines)), keyword, _indent(line))
            room -= block.end - first
            own = [stripped for one in _lines_of(lines, block) if (stripped := one.strip())]
            before = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
            if len(own) >= RENAMED and digest([before.sub(old, one) for one in own]) == known:
                found.add(name)
    after = f"{joint}{found.pop()}" if len(found) == 1 else ""
    return after if after and definition(text, after) else ""


def _defined_in(lines: Sequence[str], at: int) -> Iterator[tuple[str, str]]:
    """Yield what a line defines that opens a block, and the keyword that says so."""
    line = lines[at][:WIDTH]
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if _indent(below) <= _indent(line) and not line.rstrip().endswith(("{", "(", ":", ",")):
        return
    for place in islice(_NAME.finditer(line), NAMES):
        keyword = _defined_by(line[: place.start()].strip(), line[place.end() :], below)
        if keyword is not None and place.group().casefold() not in _RESERVED:
            yield place.group(), keyword


def is_kind(keyword: str) -> bool:
    """Tell whether a word before a name says that it is a class, a type or the like."""
    return keyword in _CONTAINERS or keyword == "type"


def parts(symbol: str) -> list[str]:
    """Split a name at what joins a member to its owner: `A.b`, `A::b`, `A#b`."""
    return re.split(r"\.|::|#", symbol.removesuffix("()"))


def digest(lines: Sequence[str]) -> bytes:
    """Hash lines, so that it is seen when one of them changes."""
    joined = "\n".join(" ".join(line.split()) for line in lines)
    return blake2b(joined.encode("utf-8", "replace"), digest_size=DIGEST).digest()


def _blocks(lines: Sequence[str], name: str, start: int, stop: int) -> list[_Block]:
    """Find what defines this name between two lines."""
    known = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    found: list[_Block] = []
    for first in range(start, stop):
        if name not in lines[first] or (found and first < found[-1].end):
            continue
        line = lines[first][:WIDTH]
        place = known.search(line)
        if place is None:
            continue
        below = lines[first + 1] if first + 1 < stop else ""
        keyword = _defined_by(line[: place.start()].strip(), line[place.end() :], below)
        if keyword is not None:
            found.append(_Block(first, _end(lines, first, stop), keyword, _indent(line)))
    return found


def _defined_by(before: str, after: str, below: str) -> str | None:
    """Return the keyword that defines a name, "" when its place alone does; None for a mere use."""
    words = before.rstrip("*&").split()
    last = words[-1].casefold() if words else ""
    if last in _KEYWORDS:
        if last == "type" and after.lstrip().startswith((",", "}")):
            return None  # imported by its name
        return last if all(map(_is_modifier, words[:-1])) else None
    if _RECEIVER.fullmatch(before):
        return "func"
    if words and words[0].startswith("impl") and before.endswith((">", " for")):
        return "impl"
    if last.endswith(".") and len(words) > 1 and words[-2] in _KEYWORDS:
        return words[-2]  # `function M.name`
    opens = after.rstrip().endswith(("{", "(", ",", "=>")) or below.lstrip().startswith("{")
    called = after.lstrip().startswith(("(", "<"))
    if all(word in _MODIFIERS or word in _QUOTES for word in words):
        value = after[1:] if after.startswith(_QUOTES) else after
        assigned = _ASSIGNED.match(value.lstrip())
        return "" if assigned or (called and opens) else None
    begins = (called and opens and ";" not in after) or _VALUE.match(after)
    if not begins or _STATEMENTS.intersection(words):
        return None
    return "" if _TYPED.fullmatch(before) and not before.endswith((".", ",", ":")) else None


def _is_data(lines: Sequence[str], block: _Block, name: str) -> bool:
    """Tell whether a definition gives a value; a function that is assigned to a name is code."""
    if block.keyword and block.keyword not in _VARIABLES:
        return False
    header = lines[block.first][:WIDTH].partition(name)[2].lstrip()
    if not block.keyword and header.startswith(("(", "<")):
        return False
    level = (
        line[:WIDTH] for line in lines[block.first : block.end] if _indent(line) == block.depth
    )
    return not any("=>" in line or "function" in line for line in level)


def _receives(line: str, owner: str) -> bool:
    """Tell whether a line of Go begins a method of this type."""
    receiver = _RECEIVER.match(line[:WIDTH])
    return receiver is not None and owner in re.findall(r"\w+", receiver.group())


def _is_modifier(word: str) -> bool:
    plain = word.casefold()
    known = plain in _MODIFIERS or plain in _KEYWORDS or plain in _SQL
    return known or plain.startswith(("pub(", "@"))


def _end(lines: Sequence[str], first: int, stop: int) -> int:
    """Return the line after a block: its lines are indented deeper, or close a bracket."""
    depth = _indent(lines[first])
    end = first + 1
    for at in range(first + 1, min(stop, first + LONGEST)):
        body = lines[at].strip()
        if not body:
            continue
        indent = _indent(lines[at])
        if indent < depth or (indent == depth and not body.startswith(_CLOSING)):
            break
        if not (indent == depth and body.startswith("#")):  # a comment may belong to what follows
            end = at + 1
    return end


def _is_within_code(lines: Sequence[str], block: _Block) -> bool:
    """Tell whether what is around a definition may run: a function's body, a call's arguments.

    So is what does not open a block: text of a string that is not indented.
    """
    depth = block.depth
    for at in range(block.first - 1, max(-1, block.first - LONGEST), -1):
        if depth == 0:
            return False
        line = lines[at][:WIDTH]
        if line.strip() not in ("", "{") and _indent(line) < depth:
            depth = _indent(line)
            holds = "(" not in line and line.rstrip().endswith(("{", "[", ":"))
            if not holds and _CONTAINERS.isdisjoint(line.split()):
                return True
    return False


def _lines_of(lines: Sequence[str], block: _Block) -> Iterator[str]:
    """Yield all lines of a block; of a class the header and the first level."""
    first, end = block.first, block.end
    if block.keyword not in _CONTAINERS:
        yield from lines[first:end]
        return
    yield lines[first]
    inner = [at for at in range(first + 1, end) if lines[at].strip()]
    deeper = [_indent(lines[at]) for at in inner if _indent(lines[at]) > block.depth]
    level = min(deeper, default=block.depth)
    for at in inner:
        if _indent(lines[at]) <= level:
            yield lines[at]


def _indent(line: str) -> int:
    """Count the spaces of an indentation; a tab counts as four."""
    space = line[: len(line) - len(line.lstrip())][:WIDTH]
    return len(space.replace("\t", "    "))
