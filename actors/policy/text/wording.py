"""Sentences of a text, how a memory of it is worded, and the room in which a prompt is told it.

People type prose mixed with code, logs and quotations into an agent. Only the prose is theirs to be
remembered; the rest is dropped here, before any rule looks at it.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.patterns import pattern
from actors.policy.text.words import caseless, expressions

_EXPRESSIONS: Final = expressions(__name__)

# ---- budget of an answer in a prompt: a limit of characters
#
# Characters, not tokens: an agent counts in its own tokens, and four characters to one (`tokens`) is
# only an estimate for people.


DEFAULT: Final = 2_000
"""Characters a prompt is given by default."""

HARD: Final = 9_500
"""Characters no setting exceeds: agents cut what is longer, or write it to a file."""

LINE: Final = 7
"""Characters of a line beside a text and what stands behind it."""

SCRAP: Final = 80  # characters: less than this of a note says nothing, and is left out instead
_SENTENCE_ENDS: Final = (". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n", "。", "！", "？")


class Settings(Struct, frozen=True):
    """Characters for a prompt's recalled notes."""

    characters: int = DEFAULT
    note: int = 600  # one note at most, so that a long one leaves room for others


class Note(NamedTuple):
    """A text on its way into a prompt, and the words behind it there."""

    identity: int
    text: str
    score: float  # which goes first where there is no room for all
    behind: str = ""

    @property
    def overhead(self) -> int:
        """Characters of its frame."""
        return len(self.behind) + LINE if self.behind else 0


def room_of(room: Settings) -> int:
    """Characters of an answer at most."""
    return min(room.characters, HARD)


def less(room: Settings, told: str) -> Settings:
    """The rest of the budget beside the text told already."""
    taken = len(told) + 1 if told else 0
    return replace(room, characters=max(0, room_of(room) - taken))


def joined(*blocks: str) -> str:
    """These blocks below each other, without the empty ones."""
    return "\n".join(block for block in blocks if block)


def packed(notes: Sequence[Note], settings: Settings, *, frame: int = 0) -> list[Note]:
    """The best of `notes` by score within the budget less `frame` characters, as they go in.

    Greedy: a note too long is cut to the room left, or left out when only a scrap would remain;
    smaller ones after it may still fit.
    """
    room = room_of(settings) - frame
    kept: list[Note] = []
    for note in sorted(notes, key=lambda note: -note.score):
        whole = note.text.strip()
        limit = min(settings.note, room - note.overhead)
        if limit < min(len(whole), SCRAP):  # whatever is left of it is a scrap
            continue
        text = shortened(whole, limit)
        if not text or (text != whole and len(text) < SCRAP):
            continue
        kept.append(note._replace(text=text))
        room -= len(text) + note.overhead
    return kept


def shortened(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, ended at a sentence, else at a word with an ellipsis.

    A sentence's end is taken when it keeps at least half; a letter is never parted from its marks.
    """
    whole = text.strip()
    if len(whole) <= limit:
        return whole
    if limit < 2:
        return ""
    head = whole[:limit]
    ends = [at + len(end.rstrip()) for end in _SENTENCE_ENDS if (at := head.rfind(end)) >= 0]
    sentence = max(ends, default=0)
    if sentence * 2 >= limit:
        return head[:sentence].rstrip()
    stop = limit - 1
    if not whole[stop].isspace():
        space = max(whole.rfind(" ", 0, stop), whole.rfind("\n", 0, stop))
        stop = space if space * 2 >= limit else _between_letters(whole, stop)
    return whole[:stop].rstrip() + "…"


def tokens(text: str) -> int:
    """Tokens `text` takes, estimated at four characters each."""
    return math.ceil(len(text) / 4)


def _between_letters(text: str, at: int) -> int:
    """The nearest place at or before `at` without parting a letter from its combining marks."""
    while at > 0 and (unicodedata.combining(text[at]) or "\u200d" in text[at - 1 : at + 1]):
        at -= 1
    return at


# ---- words and signs of a text, and how a memory of it is worded


TITLE: Final = 60  # characters
TEXT: Final = 600  # characters of one memory

# Nouns for what a project is made of: a statement about one is worth keeping.
THINGS: Final = _EXPRESSIONS["things"]
# Names of tools that people write in lower case; anything capitalised is a name anyway.
TOOLS: Final = _EXPRESSIONS["tools"]
# Each form begins where a run of its characters does: a search is linear in a text of such runs.
IDENTIFIER: Final = _EXPRESSIONS["identifier"]

_FENCE: Final = pattern(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_NOT_PROSE: Final = pattern(_EXPRESSIONS["not_prose"])
OPENING: Final = pattern(r"^[ \t]*<([A-Za-z][\w-]*)(?:\s[^<>\n]*)?>", re.MULTILINE)
_BULLET: Final = pattern(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_HEADING: Final = pattern(r"^\s*#{1,6}\s")
_EMPHASIS: Final = pattern(r"\*\*|__(?=\w)|(?<=\w)__")
# A full stop ends a sentence when a space follows, unless it belongs to an abbreviation.
_FULL_STOP: Final = (
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bapprox\.)(?<!\bcf\.)"
)
_END: Final = pattern(rf"{_FULL_STOP}[\"')]*\s+|;\s+|(?<=[。！？])")
# Where an agent or a document, which begin a sentence with a capital, ends one.
SENTENCE_END: Final = pattern(rf"{_FULL_STOP}\s+(?=[A-Z`\"'(*])")
_IDENTIFIER: Final = pattern(IDENTIFIER)
_SPECIFIC: Final = pattern(
    rf"{IDENTIFIER}|\b\d{{2,}}(?:[kmgt]i?b?)?\b|\b{TOOLS}\b|(?<!\S)--[a-z][\w-]+|\w::\w"
    r"|\b[a-z]+-(?:[a-z]+-){0,8}\d+\b|\b(?!\w+-(?:to|of|by|in|and|the|on|for|a"
    r"|at)-)[a-z0-9]+(?:-[a-z0-9]+){2,}\b"
    # A name: capitalised inside a sentence, and not one of the acronyms that everything has.
    r"|(?<=[\w,:(] )(?!(?:APIs?|DBs?|CI|URLs?|TTL|UI|IDs?|JSON|CSV|HTML|CSS|HTTPS?|PRs?|I)\b)"
    r"[A-Z][A-Za-z0-9]+"
)
_ABOUT_A_THING: Final = caseless(rf"\b{THINGS}\b")


def prose(text: str) -> str:
    """The text without code blocks, quotations, logs and pasted markup."""
    lines = _FENCE.sub("\n", _without_blocks(text)).splitlines()
    return "\n".join(line for line in lines if is_prose(line))


def sentences(text: str) -> list[str]:
    """The sentences of the prose of a text, without bullets, headings and emphasis."""
    return sentences_of_prose(prose(text))


def sentences_of_prose(text: str) -> list[str]:
    """The sentences of a text in which all is prose."""
    found: list[str] = []
    for line in filter(str.strip, _joined(text.splitlines())):
        pieces = _END.split(_EMPHASIS.sub("", _BULLET.sub("", line)))
        found += [flat for piece in pieces if (flat := " ".join(piece.split()))]
    return found


def titled(text: str) -> str:
    """The beginning of a text as a title of at most 60 characters."""
    return one_line(text, TITLE).rstrip(".")


def one_line(text: str, characters: int = TEXT) -> str:
    """The text on one line, shortened at a sentence or a word when it is longer."""
    return shortened(" ".join(text.split()), characters)


def sentence(text: str) -> str:
    """The text as a sentence: a capital first, a full stop last; identifiers stay as written."""
    flat = " ".join(text.split()).rstrip(",;: ")
    if flat[:1].islower() and not _IDENTIFIER.match(flat):
        flat = flat[0].upper() + flat[1:]
    return flat if not flat or flat[-1] in ".!?…" else flat + "."


def specifics(text: str) -> int:
    """Number of a project's things, and of names, numbers or identifiers, 0..2."""
    return bool(_ABOUT_A_THING.search(text)) + names(text)


def is_of_a_project(text: str) -> bool:
    """Return whether a text holds a noun for parts of a project, a path or an identifier."""
    return bool(_ABOUT_A_THING.search(text) or _IDENTIFIER.search(text))


def names(text: str) -> bool:
    """Return whether a text holds a name, a number or an identifier."""
    return bool(_SPECIFIC.search(text))


def listed(items: Iterable[str]) -> str:
    """`a`, `a and b`, or `a, b and c`."""
    *most, last = list(items) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _without_blocks(text: str) -> str:
    """The text without marked-up blocks, a client's additions to a person's words."""
    kept: list[str] = []
    at = 0
    unclosed: set[str] = set()  # looked for once, so that the work stays linear
    while (opening := OPENING.search(text, at)) is not None:
        name = opening[1]
        end = -1 if name in unclosed else text.find(f"</{name}>", opening.end())
        if end < 0:
            unclosed.add(name)
            kept.append(text[at : opening.end()])
            at = opening.end()
        else:
            kept += [text[at : opening.start()], "\n"]
            at = end + len(name) + 3
    return "".join([*kept, text[at:]])


def is_prose(line: str) -> bool:
    bare = line.strip()
    if not bare or _HEADING.match(line) or _NOT_PROSE.match(line):
        return not bare
    letters = sum(map(str.isalpha, bare)) + bare.count(" ")
    return letters >= 0.55 * len(bare)


def _joined(lines: list[str]) -> list[str]:
    """Lines with hard wraps undone: a line beginning in lower case belongs to the one before."""
    paragraphs: list[str] = []
    for line in lines:
        goes_on = line[:1].islower() and paragraphs and paragraphs[-1][-1:] not in ("", *".!?:;")
        if goes_on:
            paragraphs[-1] += " " + line
        else:
            paragraphs.append(line.strip())
    return paragraphs


# Names that people have, and first words by which nobody is named but who speaks here.
_NAME: Final = pattern(r"[\w .'’-]+")
_ROLE: Final = pattern(
    r"(?i)(?:the |an? |your |this )?(?:users?|you|agents?|assistant|system|reverie|person|owner)\b"
)
_WORD: Final = pattern(r"[\w.-]+")


def signature(name: str) -> str:
    """The name under a text of others as it is told: one that is none, or a role, is quoted as such."""
    plain = one_line(name)
    if _NAME.fullmatch(plain) and not _ROLE.match(plain):
        return plain
    return f"somebody who signs as “{' '.join(_WORD.findall(plain))}”"
