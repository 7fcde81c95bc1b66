"""Positions: code points here, UTF-8, UTF-16 or UTF-32 units in the editor.

Pure. A text is a list of lines, each with its own line ending; the last one has none,
so ``"".join(lines)`` is the text again. A line ends where the protocol says: at
``\\n``, ``\\r\\n`` or ``\\r``, and nowhere else. (``str.splitlines`` also splits at form
feeds and at U+2028, which sit inside lines of real sources.)
"""

import re
from itertools import accumulate
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_START = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


def lines_of(text: str) -> list[str]:
    """The lines of a text, with their endings; never empty."""
    if "\r" in text:
        return _LINE_START.split(text)
    *whole, last = text.split("\n")
    return [line + "\n" for line in whole] + [last]


def content(line: str) -> str:
    """The line without its ending."""
    return line.rstrip("\r\n")


def units(text: str, encoding: Encoding) -> int:
    """Number of units of the text in the editor's encoding."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def column(line: str, character: int, encoding: Encoding) -> int:
    """The code point of the editor's ``character``.

    Past the end of the line it is the end; inside a character, its start.
    """
    inside = content(line)
    if encoding == "utf-32" or inside.isascii():
        return max(0, min(character, len(inside)))
    for index, width in enumerate(accumulate(units(char, encoding) for char in inside)):
        if width > character:
            return index
    return len(inside)
