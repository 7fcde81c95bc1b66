"""Change a settings file and leave the rest of its text as it is: comments, order, spaces.

Reads JSON with comments and trailing commas, as editors keep it. A change is found by comparing the text's
value with the wanted one; each differing part is cut out or put in where it stands. The result is read
again: a text with another value then is given up for a plain one.
"""

import json
import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final, TypeAlias

from msgspec import Struct, field

# What the user wrote: its shape is checked where it is touched.
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

_BLANK: Final = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*")
_REST_OF_LINE: Final = re.compile(r"[ \t]*,?(?:[ \t]*//[^\n]*)?")
_DECODER: Final = json.JSONDecoder(strict=False)


class Part(Struct):
    """One value in the text, from ``start`` to ``end``; ``first`` is where its key begins, if it has one."""

    start: int
    end: int
    value: Json
    first: int = 0
    key: str = ""
    parts: "list[Part]" = field(default_factory=list["Part"])


Edit = tuple[int, int, str]  # from, to, by what


def parsed(text: str) -> Json:
    """The value of a text. Raises ``ValueError`` where it is not JSON, comments and last commas aside."""
    return _whole(text).value


def rewritten(text: str, wanted: Json) -> str:
    """The text changed to the wanted value. Raises ``ValueError`` where it is not JSON."""
    if not _BLANK.sub("", text):
        return f"{text.rstrip()}\n{plain(wanted)}".lstrip()
    root = _whole(text)
    edits: list[Edit] = []
    _Writer(text, _unit(text, root), edits).change(root, wanted, "")
    result = text
    # From the end; of several at one place the last that was noted first, so that they come in order.
    for _, (start, end, by) in sorted(enumerate(edits), key=_place, reverse=True):
        result = result[:start] + by + result[end:]
    try:
        return result if parsed(result) == wanted else plain(wanted)
    except ValueError:
        return plain(wanted)


def _place(numbered: tuple[int, Edit]) -> tuple[int, int]:
    return numbered[1][0], numbered[0]


def plain(value: Json) -> str:
    """The text of a file with the value."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


# -- reading ----------------------------------------------------------------------------------


def _whole(text: str) -> Part:
    try:
        root = _part(text, _after_blank(text, 0))
    except RecursionError:
        raise ValueError("nested too deep") from None
    if _after_blank(text, root.end) != len(text):
        raise ValueError(f"more than one value (character {root.end})")
    return root


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _part(text: str, at: int) -> Part:
    opening = text[at : at + 1]
    if opening not in ("{", "["):
        plain_value, end = _DECODER.raw_decode(text, at)
        return Part(at, end, plain_value)
    parts: list[Part] = []
    closing = "}" if opening == "{" else "]"
    end = _after_blank(text, at + 1)
    while text[end : end + 1] != closing:
        part = _member(text, end) if opening == "{" else _part(text, end)
        part.first = end
        parts.append(part)
        end = _after_blank(text, part.end)
        if text[end : end + 1] == ",":
            end = _after_blank(text, end + 1)
        elif text[end : end + 1] != closing:
            raise ValueError(f"a comma is missing (character {end})")
    value: Json = [one.value for one in parts]
    if opening == "{":
        value = {one.key: one.value for one in parts}
    return Part(at, end + 1, value, parts=parts)


def _member(text: str, at: int) -> Part:
    key, end = _DECODER.raw_decode(text, at)
    end = _after_blank(text, end)
    if not isinstance(key, str) or text[end : end + 1] != ":":
        raise ValueError(f"no name of a member (character {at})")
    part = _part(text, _after_blank(text, end + 1))
    part.key = key
    return part


def _unit(text: str, root: Part) -> str:
    """One step of indentation, as the text's first member has it."""
    if root.parts and "\n" in text[root.start : root.parts[0].first]:
        first = root.parts[0].first
        before = text[text.rfind("\n", 0, first) + 1 : first]
        return before if before and not before.strip() else "  "
    return "  "


# -- writing ----------------------------------------------------------------------------------


class _Writer(Struct):
    text: str
    unit: str
    edits: list[Edit]

    def change(self, part: Part, wanted: Json, indent: str) -> None:
        """Note the edits bringing a part to the wanted value; its lines begin with ``indent``."""
        if part.value == wanted and type(part.value) is type(wanted):
            return
        inner = indent + self.unit
        if isinstance(part.value, dict) and isinstance(wanted, dict):
            for one in part.parts:
                if one.key in wanted:
                    self.change(one, wanted[one.key], inner)
            kept = [one for one in part.parts if one.key in wanted]
            new = [f"{_dumped(key)}: {self._lines(value, inner)}"
                   for key, value in wanted.items() if key not in part.value]  # fmt: skip
        elif isinstance(part.value, list) and isinstance(wanted, list):
            kept, rest = self._aligned(part, wanted, inner)
            new = [self._lines(value, inner) for value in rest]
        else:
            self.edits.append((part.start, part.end, self._lines(wanted, indent)))
            return
        self._add(part, kept, new, indent)
        self._cut(part, kept, is_followed=bool(new))

    def _aligned(
        self, part: Part, wanted: list[Json], indent: str
    ) -> tuple[list[Part], list[Json]]:
        """Items to stay, in order, and values to come after them."""
        if len(part.parts) == len(wanted):
            for one, value in zip(part.parts, wanted, strict=True):
                self.change(one, value, indent)
            return part.parts, []
        kept: list[Part] = []
        for one in part.parts:
            if len(kept) < len(wanted) and one.value == wanted[len(kept)]:
                kept.append(one)
        return kept, wanted[len(kept) :]

    def _cut(self, part: Part, kept: Sequence[Part], *, is_followed: bool) -> None:
        """Cut the parts not kept, and a comma left without a successor."""
        if not kept:
            if part.parts:
                self.edits.append((part.start + 1, part.end - 1, ""))
            return
        ids, parts = {id(one) for one in kept}, part.parts
        for goes, run in groupby(range(len(parts)), lambda at: id(parts[at]) not in ids):
            numbers = list(run)
            first, last = numbers[0], numbers[-1]
            if goes and first == 0:
                self.edits.append((parts[0].first, parts[last + 1].first, ""))
            elif goes:
                own, before = self._comma(parts[last]), self._comma(parts[first - 1])
                start = self._end_of_line(parts[first - 1])
                self.edits.append((start, parts[last].end if own is None else own + 1, ""))
                if own is None and before is not None and before < start and not is_followed:
                    self.edits.append((before, before + 1, ""))

    def _add(self, part: Part, kept: Sequence[Part], new: list[str], indent: str) -> None:
        """Put new members after the kept ones, each on a line of its own."""
        if not new:
            return
        inner = indent + self.unit
        lines = f"\n{inner}" + f",\n{inner}".join(new)
        place = self._end_of_line(kept[-1]) if kept else part.start + 1
        if kept and self._comma(kept[-1]) is None:
            self.edits.append((kept[-1].end, kept[-1].end, ","))
        if not kept or "\n" not in self.text[place : part.end]:
            lines += f"\n{indent}"
        newline = "\r\n" if "\r\n" in self.text else "\n"
        self.edits.append((place, place, lines.replace("\n", newline)))

    def _comma(self, part: Part) -> int | None:
        """Where the comma after a part stands."""
        at = _after_blank(self.text, part.end)
        return at if self.text[at : at + 1] == "," else None

    def _end_of_line(self, part: Part) -> int:
        """Where a part's line ends: after its comma and a comment, or where the next one begins."""
        found = _REST_OF_LINE.match(self.text, part.end)
        return found.end() if found else part.end

    def _lines(self, value: Json, indent: str) -> str:
        return _dumped(value, self.unit).replace("\n", "\n" + indent)


def _dumped(value: Json, unit: str | None = None) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False)
