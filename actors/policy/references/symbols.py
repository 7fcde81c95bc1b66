"""A symbol's own lines in a source file, by the indentation of its block.

No parser: a line defines a name by the signs before and after it (`def NAME`, `func (s *T) NAME(`,
`int NAME(int x) {`, `NAME = `, `"NAME":`, `NAME:` of a Makefile). Formatted code of the common
languages is indented; of code that is not the first line is the symbol's own. Every scan is linear.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.references.layout import (
    CONTAINERS,
    WIDTH,
    end_of,
    indent,
    is_within_code,
    laid_out,
    lines_of,
    lines_with,
)
from actors.policy.text.words import word_list

DEFINITIONS: Final = 8  # of one name in a file: overloads, methods of several classes
RENAMED: Final = 2  # lines at least of a symbol that is known again under another name
HANDOVER: Final = 3  # lines at most of what only calls its namesake
TRIED: Final = 24  # places of a name that no keyword defines: most are variables and arguments
NESTED: Final = 8  # definitions around a line, on average: more are not looked at
NAMES: Final = 6  # of a line that may define one
DIGEST: Final = 16  # bytes

# What stands right before a name that it defines.
_FUNCTIONS: Final = frozenset("def function function* func fn fun sub proc defp".split())
_KEYWORDS: Final = (
    CONTAINERS
    | _FUNCTIONS
    | frozenset(
        "type typedef const let var val mod macro #define using"
        " macro_rules! table view index trigger exists defmodule".split()
    )
)
_TYPES: Final = CONTAINERS | {"type"}
_ACCESSORS: Final = (["get"], ["set"])  # of an option, which is data
_PROPERTY: Final = ("@property", "@cached_property", "@functools.cached_property")
# Last line of what does nothing: a docstring, an empty body.
_NOTHING: Final = (
    '"""', "'''", "...", "pass", "raise NotImplementedError", "raise NotImplementedError()",
)  # fmt: skip
_VARIABLES: Final = frozenset("const let var val".split())
# What may stand before such a word, and before a name that is defined by what follows it.
_MODIFIERS: Final = word_list(__name__, "modifiers")
_RARER: Final = word_list(__name__, "rarer")
_SQL: Final = frozenset("create or replace temp temporary unique materialized if not".split())
# What makes a line with brackets a statement and no definition.
_STATEMENTS: Final = word_list(__name__, "statements")
_RESERVED: Final = _KEYWORDS | _MODIFIERS | _STATEMENTS
_RECEIVER: Final = pattern(r"func\s*\([^()]*\)")
_TYPED: Final = pattern(r"[\w\s:<>,*&\[\]?.~@]+")
_NAME: Final = pattern(r"[A-Za-z_$][\w$]*")
_ASSIGNED: Final = pattern(r":(?!:)|[+?]?=(?![=>])")
# Of a constant, a field or a property with a type before its name.
_VALUE: Final = pattern(r" ?=(?![=>])| ?\{ ?(?:get|set|init)\b")
_JOINED: Final = pattern(r"[.,]$|^\S*::$|(?<!:):$")
_TEMPLATE: Final = pattern(r"\Atemplate\s*<.*>\s*")
_EXTENSION: Final = pattern(r"(?:^|\s)fun\s[^()=]{0,80}\.$")  # of Kotlin
_GO_TYPE: Final = pattern(r"\A\s+(?:struct|interface) ?\{")
_MEMBER: Final = pattern(r"\A[\w$]+(?:\.[\w$]+)*\.")
_CODE: Final = pattern(r"\A\s*=\s*(?:async\b\s*)?(?:function\b|class\b|\([^()]*\)\s*=>|\w+\s*=>)")
# A prototype, a method of an interface, a body on the line of its name.
_BRIEF: Final = pattern(r"\A\s*[(<](?:[^{}]*;|[^{]*\{.*\})\s*")
# What follows a name that is used and not defined: imported, of a file of its own, of a variable.
_OF_VARIABLE: Final = pattern(
    r"\A(?:\s*[*&),;]|\s+(?!(?:extends|implements|where|final|with|permits|of|has|is|for)\b)[A-Za-z_])"
)
_TRAIT: Final = pattern(r"\A[^{]*\sfor\s")  # it is implemented there, for a type
_USES: Final[Mapping[str, re.Pattern[str]]] = {
    "type": pattern(r"\A\s*[,}]"),
    "mod": pattern(r"\A\s*;"),
    "using": pattern(r"\A\s*[^\s=]"),
    "impl": _TRAIT,
    **dict.fromkeys(("struct", "union", "enum"), _OF_VARIABLE),
}
_QUOTES: Final = ('"', "'", "`")


class _Block(Struct, frozen=True):
    """A definition: its lines, and its keyword, if it has one."""

    first: int
    end: int  # the line after it
    keyword: str
    depth: int
    is_brief: bool = False  # it ends on its line: a prototype, a method of an interface


class Definition(Struct, frozen=True):
    """A symbol as a text defines it, in one place or in several."""

    line: int  # from 0, of the first place
    end: int  # the line after it
    keyword: str  # of the definition; "" where its place alone defines it
    lines: tuple[str, ...]  # its own, of all places
    sure: bool  # a word says so; of `A.b`: it is within A, or a method of it
    is_data: bool  # a constant, a variable or a field, and no code
    is_brief: bool  # it does nothing: a prototype, a method of an interface, an abstract one
    is_member: bool  # it is within another definition, or a method beside its type


@lru_cache(maxsize=4)  # whoever judges a reference looks for its place next
def definition(text: str, symbol: str) -> Definition | None:
    """Find the definitions of ``symbol``; of `A.b` the ones of b within A. None when there is none.

    Of a class its header and members count and not the bodies of its methods: these are symbols of
    their own. White space at both ends of a line is left out, and so are empty lines.
    """
    *around, name = parts(symbol)
    if name not in text:
        return None
    lines, at = lines_of(text), [*lines_with(text, name)]
    if not _blocks(lines, name, at, len(lines)):
        return None  # the layout is dearer than this look
    layout = laid_out(text)
    outer = _everywhere(text, around[-1]) if around else ()
    within = [(one.first, one.end) for one in outer if one.keyword]
    blocks = [
        one
        for start, stop in within
        for one in _blocks(layout, name, at[bisect_left(at, start) : bisect_left(at, stop)], stop)
    ]
    sure = bool(blocks)
    if not blocks:
        blocks = _blocks(layout, name, at, len(layout))
        if around:  # a method that stands beside its type, what a module has by the module's name
            received = [one for one in blocks if _receives(layout[one.first], around[-1], name)]
            blocks = received or ([] if within else _of_module(layout, blocks, around[-1]))
            sure = bool(received)
    kept = _chosen(layout, blocks, name)
    found = [line for one in kept[:DEFINITIONS] for line in _lines_of(lines, one)]
    own = tuple(stripped for line in found if (stripped := line.strip()))
    if not own:
        return None
    code = [one for one in kept[:DEFINITIONS] if not _is_data(layout, one, name)]
    work = (one for one in code if not _is_idle(layout, one, name))
    # A method goes before the field that it is called as, before its overloads and abstract
    # namesakes, and before who only calls it.
    first = next(chain(work, code, kept))
    is_data = _is_data(layout, first, name)
    sure = sure or bool(first.keyword and not is_data and not around)
    is_brief = _does_nothing(layout, first)
    is_member = first.depth > 0 or _RECEIVER.match(layout[first.first]) is not None
    return Definition(
        first.first, first.end, first.keyword, own, sure, is_data, is_brief, is_member
    )


def _chosen(lines: Sequence[str], blocks: Sequence[_Block], name: str) -> list[_Block]:
    """Choose blocks marked as code by a keyword, else blocks outside of code with lines below."""
    said = [one for one in blocks if one.keyword and not _is_data(lines, one, name)]
    for brief in (False, True):
        tried = [one for one in blocks if one.is_brief is brief][:TRIED]
        said = said or [one for one in tried if not is_within_code(lines, one.first)]
    return said


def _of_module(lines: Sequence[str], blocks: Sequence[_Block], owner: str) -> list[_Block]:
    """Choose a module's possible members: functions, and types where its name is no type's."""
    wanted = _FUNCTIONS if owner[:1].isupper() else _FUNCTIONS | _TYPES
    those = [one for one in blocks if one.keyword in wanted]
    outside = [one for one in those if not one.depth and not _RECEIVER.match(lines[one.first])]
    return outside or those


def renamed(text: str, symbol: str, known: bytes) -> str:
    """Find the one symbol with the lines of ``symbol``, except for its name; else ""."""
    old = parts(symbol)[-1]
    joint = symbol[: -len(old)]
    lines = laid_out(text)
    found: set[str] = set()
    room = NESTED * len(lines)
    for first, line in enumerate(lines):
        for name, keyword in _defined_in(lines, first) if room > 0 else ():
            end = end_of(lines, first, len(lines))
            block = _Block(first, end, keyword, indent(line))
            room -= block.end - first
            own = [stripped for one in _lines_of(lines, block) if (stripped := one.strip())]
            before = whole(name)
            if len(own) >= RENAMED and digest([before.sub(old, one) for one in own]) == known:
                found.add(name)
    after = f"{joint}{found.pop()}" if len(found) == 1 else ""
    return after if after and definition(text, after) else ""


def _defined_in(lines: Sequence[str], at: int) -> Iterator[tuple[str, str]]:
    """Yield a line's defined name that opens a block, and its keyword."""
    line = lines[at][:WIDTH]
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if indent(below) <= indent(line) and not line.rstrip().endswith(("{", "(", ":", ",")):
        return
    for place in islice(_NAME.finditer(line), NAMES):
        keyword = _defined_by(line[: place.start()].strip(), line[place.end() :], below)
        if keyword is not None and place.group().casefold() not in _RESERVED:
            yield place.group(), keyword


def is_kind(keyword: str) -> bool:
    """Return whether a word before a name marks it as a class, a type or the like."""
    return keyword in _TYPES


def parts(symbol: str) -> list[str]:
    """Split a name at the joints of members and owners: `A.b`, `A::b`, `A#b`, `A.#b`."""
    return re.split(r"\.#?|::|#", symbol.removesuffix("()"))


def whole(name: str) -> re.Pattern[str]:
    """Return the pattern of a name as a whole, not as a part of another."""
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")


def digest(lines: Sequence[str]) -> bytes:
    """Hash lines, so a change of one of them is noticed."""
    joined = "\n".join(" ".join(line.split()) for line in lines)
    return blake2b(joined.encode("utf-8", "replace"), digest_size=DIGEST).digest()


@lru_cache(maxsize=4)  # of a class it is asked for every method that a memory is about
def _everywhere(text: str, name: str) -> Sequence[_Block]:
    """Find the definitions of this name in a text as it is laid out."""
    layout = laid_out(text)
    return _blocks(layout, name, lines_with(text, name), len(layout))


def _blocks(lines: Sequence[str], name: str, at: Iterable[int], stop: int) -> list[_Block]:
    """Find the definitions of this name at some lines before ``stop``."""
    known = whole(name)
    found: list[_Block] = []
    for first in at:
        if name not in lines[first] or (found and first < found[-1].end):
            continue
        line = lines[first][:WIDTH]
        place = known.search(line)
        if place is None:
            continue
        before, after = line[: place.start()].strip(), line[place.end() :]
        keyword = _defined_by(before, after, lines[first + 1] if first + 1 < stop else "")
        is_brief = not keyword and _BRIEF.fullmatch(after) is not None
        depth = indent(line)
        if keyword is not None and (before or depth or not is_brief):  # else it is a call
            found.append(_Block(first, end_of(lines, first, stop), keyword, depth, is_brief))
    return found


def _defined_by(before: str, after: str, below: str) -> str | None:
    """Return the keyword before a defined name, "" when its place alone defines it; None for a mere use."""
    if before.endswith("#") and after.rstrip().endswith(("{", "(", ";")):
        before = before[:-1].rstrip()  # a private member of JavaScript
    before = _TEMPLATE.sub("", before)
    words = before.rstrip("*&").split()
    last = words[-1].casefold() if words else ""
    if last in _KEYWORDS:
        is_use = (used := _USES.get(last)) is not None and used.match(after) is not None
        return last if not is_use and all(map(_is_modifier, words[:-1])) else None
    if _RECEIVER.fullmatch(before):
        return "func"
    if words and words[0].startswith("impl") and before.endswith((">", " for")):
        return None if _TRAIT.match(after) else "impl"
    if _MEMBER.fullmatch(last) and len(words) > 1 and words[-2] in _KEYWORDS:
        return words[-2] if all(map(_is_modifier, words[:-2])) else None  # `function M.name`
    if _EXTENSION.search(before) or (_MEMBER.fullmatch(before) and _CODE.match(after)):
        return "function"
    opens = after.rstrip().endswith(("{", "(", ",", "=>", "<")) or below.lstrip().startswith("{")
    opens = opens or _BRIEF.fullmatch(after) is not None
    # What is open at the end of a line that opens a block is a call: `test(() => {`.
    is_call = after.rstrip().endswith("{") and after.count("(") > after.count(")")
    called = after.lstrip().startswith(("(", "<")) and not is_call
    if all(word in _MODIFIERS or word in _QUOTES for word in words):
        value = after[1:] if after.startswith(_QUOTES) else after
        assigned = _ASSIGNED.match(value.lstrip())
        if not words and _GO_TYPE.match(after):
            return "type"
        constant = not words and after.strip() == "{"  # of an enum of Java, which has methods
        return "" if assigned or constant or (called and opens) else None
    begins = (called and opens) or _VALUE.match(after)
    if not begins or _STATEMENTS.intersection(words):
        return None
    return "" if _TYPED.fullmatch(before) and not _JOINED.search(before) else None


def _is_data(lines: Sequence[str], block: _Block, name: str) -> bool:
    """Return whether a definition gives a value; a function assigned to a name is code."""
    if block.keyword and block.keyword not in _VARIABLES:
        return block.first > 0 and lines[block.first - 1].strip() in _PROPERTY
    before, _, header = lines[block.first][:WIDTH].partition(name)
    begins = header.lstrip().startswith(("(", "<")) or header.strip() == "{"
    if begins and not block.keyword and before.split()[-1:] not in _ACCESSORS:
        return False
    level = (line[:WIDTH] for line in lines[block.first : block.end] if indent(line) == block.depth)
    return not any("=>" in line or "function" in line for line in level)


def _does_nothing(lines: Sequence[str], block: _Block) -> bool:
    """Tell whether a definition is a prototype, abstract, or has an empty body."""
    return block.is_brief or lines[block.end - 1].rstrip().endswith(_NOTHING)


def _is_idle(lines: Sequence[str], block: _Block, name: str) -> bool:
    """Tell whether a function does nothing, or only calls its namesake: `func Get() { v.Get() }`."""
    if block.end - block.first > HANDOVER or _does_nothing(lines, block):
        return _does_nothing(lines, block)
    _, _, body = " ".join(lines[block.first : block.end]).partition(name)
    return f".{name}(" in body


def _receives(line: str, owner: str, name: str) -> bool:
    """Tell whether a line begins a method of this type, which stands elsewhere."""
    receiver = _RECEIVER.match(line[:WIDTH])
    if receiver is not None:
        return owner in re.findall(r"\w+", receiver.group())
    place = whole(name).search(line)  # `"now": clock.now` uses the other's
    joints = tuple(f"{owner}{joint}" for joint in (".", ".prototype.", "::"))
    return place is not None and line[: place.start()].endswith(joints)


def _is_modifier(word: str) -> bool:
    plain = word.casefold()
    known = plain in _MODIFIERS or plain in _KEYWORDS or plain in _SQL or plain in _RARER
    return known or plain.startswith(("pub(", "@"))


def _lines_of(lines: Sequence[str], block: _Block) -> Iterator[str]:
    """Yield all lines of a block; of a class the header and the first level."""
    first, end = block.first, block.end
    if block.keyword not in CONTAINERS:
        yield from lines[first:end]
        return
    yield lines[first]
    inner = [at for at in range(first + 1, end) if lines[at].strip()]
    deeper = [indent(lines[at]) for at in inner if indent(lines[at]) > block.depth]
    level = min(deeper, default=block.depth)
    for at in inner:
        if indent(lines[at]) <= level:
            yield lines[at]
