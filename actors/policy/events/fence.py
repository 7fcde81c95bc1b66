"""The fence around recalled notes: built, defended from inside, and taken out again.

A quoted text must not be able to close the fence or to speak as the system or as the person (`neutralised`).
Injected text comes back in prompts, tool outputs and transcripts, and must not be learnt again as if somebody had
said it (`stripped`).
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.words import caseless, table

TAG = "reverie-notes"

# -- building ---------------------------------------------------------------------------------


def fenced(lines: Sequence[str], heading: str) -> str:
    """`lines` as quoted notes under `heading`; nothing when there are no lines.

    `stripped` recognizes the shape: a heading, each note behind a dash, and the further lines of a
    note indented.
    """
    if not lines:
        return ""
    title = " ".join(neutralised(heading).split())
    notes = [f"<{TAG}>", title]
    for line in lines:
        parts = filter(str.strip, neutralised(line).strip().splitlines())
        notes.append("- " + "\n  ".join(parts))
    return "\n".join((*notes, f"</{TAG}>"))


# -- looks: invisible characters gone, look-alikes as the Latin letters they resemble
#
# A reader, and a model, take `Ѕystem` in Cyrillic, full-width `＜` or a name with a soft hyphen in it
# for the plain spelling. Rules for guarding names look at this form and change the text itself, so
# each character of the form carries its place in the text.


_ALIKE: Final = {
    ord(other): plain
    for others, plains in table(__name__)["alike"]
    for other, plain in zip(others, plains, strict=True)
}
# Seen by nobody though Unicode calls them letters: fillers of Hangul.
_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0")

_OTHER: Final = pattern(r"[^\x00-\x7f]")


@lru_cache(maxsize=4)  # several rules look at one text
def looks(text: str) -> tuple[str, Sequence[int]]:
    """Text as it looks to a reader, and for each of its characters the place of that in the text."""
    if text.isascii():
        return text, range(len(text))
    form: list[str] = []
    places: list[int] = []
    at = 0
    for other in _OTHER.finditer(text):
        place = other.start()
        plain = _plain(other[0])
        form += (text[at:place], plain)
        places += range(at, place)
        places += [place] * len(plain)
        at = place + 1
    form.append(text[at:])
    places += range(at, len(text))
    return "".join(form), places


@lru_cache(maxsize=4_096)
def _plain(character: str) -> str:
    """The look of one character; empty for an invisible one and for marks above letters."""
    if character in _FILLERS or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    return unicodedata.normalize("NFKC", character.translate(_ALIKE)).translate(_ALIKE)


# -- neutralising -----------------------------------------------------------------------------

# Characters that nobody sees: they hide a tag from a reader and from the patterns below. Joiners
# are needed by emoji and some scripts and go only from between Latin letters and brackets.
INVISIBLE = pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
_LINE_BREAK = pattern("\r\n?|[\x0b\x0c\x85\u2028\u2029]")  # where a reader sees a new line
_JOINERS = pattern("(?<=[A-Za-z<>/|\\-])[\u200c\u200d]+(?=[A-Za-z<>/|\\-])")
_OPENING = r"(?:<|＜|﹤|&lt;|&#0{0,4}60;|&#[xX]0{0,4}3[cC];|\\{1,4}u003[cC])"
# Tags that mean something to an agent, and every name with a hyphen or underscore, because clients
# invent new ones; plain HTML and the generics of code stay readable.
_TAG_NAME = (
    r"(?:[A-Za-z][A-Za-z0-9]{0,40}[\-_][A-Za-z0-9_\-]{1,60}"
    r"|(?:system|human|user|assistant|developer|instructions?|prompt|context|tool|thinking|summary"
    r"|invoke|antml|rules|important|tick|persona|memory|memories|reminder)(?![A-Za-z0-9]))"
)
_TAG_LIKE = caseless(rf"{_OPENING}(?=\s{{0,4}}/?\s{{0,4}}{_TAG_NAME})")
_CHAT_TOKEN = pattern(r"<(\|[^|<>\n]{0,40}\|)>|<<(/?SYS)>>")
_INSTRUCTION = caseless(r"\[(/?(?:INST|SYSTEM|SYS|/?SYSTEM_PROMPT|AVAILABLE_TOOLS))\]")
_SPEAKER = pattern(
    r"^([ \t>*#\-]{0,12})(Human|Assistant|System|User|Developer|Claude|Tool|H|A)[ \t]{0,4}[:：]",
    re.IGNORECASE | re.MULTILINE,
)


def neutralised(text: str) -> str:
    """`text` without anything in the form of the fence, a system tag or another speaker; stable when repeated.

    An opening bracket becomes a quotation mark (`‹system-reminder>`), `[INST]` becomes `(INST)`,
    and a speaker at the beginning of a line loses the colon (`(Human) …`). So do look-alikes: other
    alphabets, invisible characters, other ends of a line.
    """
    text = INVISIBLE.sub("", _LINE_BREAK.sub("\n", text))
    if not text.isascii():
        text = _JOINERS.sub("", text)
    for form, plain in _FORBIDDEN:
        text = _without(text, form, plain)
    return text


# What is said instead has the groups of the pattern as they are written in the text.
_FORBIDDEN: Final = (
    (_CHAT_TOKEN, "‹{0}{1}›"),
    (_TAG_LIKE, "‹"),
    (_INSTRUCTION, "({0})"),
    (_SPEAKER, "{0}({1})"),
)


def _without(text: str, pattern: re.Pattern[str], plain: str) -> str:
    """`text` with every match of the pattern replaced, and every other character as it was."""
    form, places = looks(text)

    def written(begin: int, end: int) -> str:
        return text[places[begin] : places[end - 1] + 1] if begin < end else ""

    kept: list[str] = []
    at = 0
    for match in pattern.finditer(form):
        groups = [written(*span) for span in match.regs[1:]]
        kept += (text[at : places[match.start()]], plain.format(*groups))
        at = places[match.end() - 1] + 1
    return "".join((*kept, text[at:]))


# -- stripping --------------------------------------------------------------------------------

_LT = r"(?:<|&lt;|\\{0,3}\\u003[cC]|%3[cC])"
_GT = r"(?:>|&gt;|\\{0,3}\\u003[eE]|%3[eE])"
_NEWLINE = r"(?:\r?\n|[\x85\u2028\u2029]|\\{1,3}r\\{1,3}n|\\{1,3}n)"
_OPEN = caseless(rf"{_LT}{TAG}(?:\s[^<>]{{0,100}})?{_GT}")
_CLOSE = caseless(rf"{_LT}\\{{0,2}}/{TAG}\s{{0,4}}{_GT}")
_LINE_END = pattern(_NEWLINE)
# What the client wraps around injected text, when nothing else was in it.
_EMPTY_REMINDER = pattern(
    rf"{_LT}system-reminder{_GT}(?:\s|\\n){{0,8}}"
    rf"(?:[\w:]{{1,60}} hook (?:additional context|success):(?:\s|\\n){{0,8}})?"
    rf"{_LT}\\{{0,2}}/system-reminder{_GT}(?:\r?\n|\\n)?"
)


def stripped(text: str) -> str:
    """`text` without our own blocks.

    Known again also when escaped (`&lt;`, `\\u003c`, `\\n`), when the end is missing, and when only
    the end is left after a cut inside a block. A mention of the tag in a sentence is no block.
    """
    if TAG not in text.lower():
        return text
    pieces: list[str] = []
    at = 0
    opening = _OPEN.search(text)
    closing = _CLOSE.search(text)
    while opening is not None or closing is not None:
        if opening is None or (closing is not None and closing.start() < opening.start()):
            assert closing is not None
            start, end = _cut_block(text, at, closing)
        else:
            following = _OPEN.search(text, opening.end())
            ends_here = closing is not None and (
                following is None or closing.start() < following.start()
            )
            start, end = _block(text, opening, closing if ends_here else None)
        pieces.append(text[at:start])
        at = end
        if opening is not None and opening.start() < at:
            opening = _OPEN.search(text, at)
        if closing is not None and closing.start() < at:
            closing = _CLOSE.search(text, at)
    pieces.append(text[at:])
    return _EMPTY_REMINDER.sub("", "".join(pieces))


_MENTION = 40  # characters between two tags on one line, up to which they are only spoken of


def _block(text: str, opening: re.Match[str], closing: re.Match[str] | None) -> tuple[int, int]:
    """Range to take out for an opening tag; an empty piece behind it when it is only a mention."""
    on_its_own_line = _LINE_END.match(text, opening.end()) is not None
    if closing is not None and (on_its_own_line or closing.start() - opening.end() > _MENTION):
        return opening.start(), closing.end()
    if closing is not None:
        return closing.end(), closing.end()
    if on_its_own_line:
        return opening.start(), _shape_end(text, opening.end())
    return opening.end(), opening.end()


_CUT_ENDS = tuple(f"</{TAG}>"[:length] for length in range(1, len(TAG) + 3))


def _shape_end(text: str, start: int) -> int:
    """End of a block without a closing tag: after the heading and the lines in the form of notes."""
    line_end = _LINE_END.match(text, start)
    heading = True
    end = start
    while line_end is not None:
        after = _LINE_END.search(text, line_end.end())
        if not (heading or _looks_like_a_note(text, line_end.end(), after is None)):
            break
        heading = False
        end = len(text) if after is None else after.start()
        line_end = after
    return end


def _looks_like_a_note(text: str, start: int, last: bool) -> bool:
    """Return whether a line is one of ours; on the last line, also the rest of one after a cut."""
    if text.startswith(("- ", "  "), start):
        return True
    return last and text[start : start + 40] in ("", "-", " ", *_CUT_ENDS)


def _cut_block(text: str, floor: int, closing: re.Match[str]) -> tuple[int, int]:
    """Range to take out for a closing tag alone: the notes before it and the line above them.

    The line above is the heading, or the rest of a note after the cut.
    """
    breaks = [found.end() for found in _LINE_END.finditer(text, floor, closing.start())]
    if not breaks or breaks[-1] != closing.start():
        return closing.end(), closing.end()  # not on a line of its own: a mention
    lines = [floor, *breaks[:-1]]
    above = len(lines) - 1
    while above >= 0 and text.startswith(("- ", "  "), lines[above]):
        above -= 1
    if above == len(lines) - 1 and above > 0:
        return closing.end(), closing.end()
    return lines[max(above, 0)], closing.end()
