"""A turn: words of a person to an agent, or of the agent, read once for all who ask of them.

Every rule about a person's words asks who said them and where sentences end. Parts of a ``Turn`` that nobody
asks for are not read.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar

from actors.policy.patterns import pattern
from actors.policy.text.pasted import Block, blocks
from actors.policy.text.wording import prose, sentences_of_prose
from actors.policy.text.words import caseless, expressions, table

_EXPRESSIONS: Final = expressions(__name__)

# ---- plain speech: the speakers of a prompt's words, and the words in full spelling
#
# Words quoted or reported by a person are another's, and are set aside before any rule looks at them.


QUOTED_WORDS: Final = 3  # fewer are a name or a term of one's own: the word "account"

# Without line breaks inside and bounded, so that a stray mark costs a line and time stays linear.
_QUOTATION: Final = pattern(
    r"(?<!\w)\"[^\"\n]{1,600}\"(?!\w)|“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»"
)
_FIRST_MARK: Final = 0xE000  # private use: no keyboard has them, and no rule reads them as a word
_MARKS: Final = 64
_MARK: Final = pattern(f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + _MARKS - 1)}]")

# Apostrophes that are left out; "its", "were", "well" and "ill" are words of their own.
_CONTRACTIONS: Final[Mapping[str, str]] = table(__name__)["contractions"]
_CONTRACTED: Final = caseless(rf"(?<![\w`./-])(?:{'|'.join(_CONTRACTIONS)})(?![\w`/-])(?!\.\w)")

# Somebody else says so, or it is to be written somewhere.
_REPORTED: Final = caseless(_EXPRESSIONS["reported"])
_EMBEDDED: Final = caseless(_EXPRESSIONS["embedded"])


class Masked(NamedTuple):
    """A text with a mark in place of each quotation, and the quotations."""

    text: str
    quotations: tuple[str, ...]


def without_quotations(text: str) -> Masked:
    """The text with a mark for each quotation of three words or more, which are another's words."""
    found: list[str] = []

    def mark(quotation: re.Match[str]) -> str:
        if len(quotation[0].split()) < QUOTED_WORDS or len(found) >= _MARKS:
            return quotation[0]
        found.append(quotation[0])
        return chr(_FIRST_MARK + len(found) - 1)

    return Masked(_QUOTATION.sub(mark, _MARK.sub(" ", text)), tuple(found))


def with_quotations(text: str, quotations: tuple[str, ...]) -> str:
    """The text with its quotations back in their places."""

    def quotation(mark: re.Match[str]) -> str:
        at = ord(mark[0]) - _FIRST_MARK
        return quotations[at] if at < len(quotations) else ""

    return _MARK.sub(quotation, text)


def spelled(line: str) -> str:
    """The line with missing apostrophes put in, and "please" for "pls"."""

    def full(found: re.Match[str]) -> str:
        words = _CONTRACTIONS[found[0].lower()]
        return words[0].upper() + words[1:] if found[0][0].isupper() else words

    return _CONTRACTED.sub(full, line)


def is_reported(line: str, upto: int) -> bool:
    """Return whether the words at ``upto`` are told of others, or are to be written down."""
    return bool(_REPORTED.search(line, 0, max(upto, 1)))


def is_embedded(line: str, upto: int) -> bool:
    """Return whether the words at ``upto`` are object of another clause: "explain why we ..."."""
    return bool(_EMBEDDED.search(line, 0, upto))


T = TypeVar("T")

AT_ONCE: Final = 8_000  # characters: 2 to 3 ms; of 200,000 it is 60

# Tags with which a client begins a prompt that nobody typed.
_MACHINE_TAG: Final = pattern(_EXPRESSIONS["machine_tag"])
_MACHINE_START: Final = tuple(table(__name__)["machine_start"])
_HOOK_LINE: Final = pattern(_EXPRESSIONS["hook_line"])
# Context that a client or an editor puts before what the person typed.
_CONTEXT: Final = pattern(_EXPRESSIONS["context"])
# People state and ask in one breath: "I prefer short functions, but can you look at this?"
_CLAUSE_END: Final = caseless(_EXPRESSIONS["clause_end"])


class part(Generic[T]):
    """Part of a turn, read when first asked for. Decorates the method that reads it."""

    def __init__(self, read: "Callable[[Turn], T]") -> None:
        self.__doc__ = read.__doc__
        self._read = read

    def __get__(self, turn: "Turn", owner: type) -> T:
        """The part, read if it was not."""
        return turn.read(self._read)


class Turn:
    """A text of a person or an agent, and whatever has been read of it. Pure: threads find the same."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._read: dict[Callable[[Turn], Any], Any] = {}

    def __repr__(self) -> str:
        """The text alone, as turns are compared by it."""
        return f"Turn({self.text!r})"

    def __eq__(self, other: object) -> bool:
        """Turns of the same text are equal, whatever has been read of them."""
        return isinstance(other, Turn) and self.text == other.text

    def __hash__(self) -> int:
        """The text's."""
        return hash(self.text)

    def read(self, reader: "Callable[[Turn], T]") -> T:
        """Return a reader's findings in it; computed when first asked for."""
        # No lock, as ``cached_property`` has in Python 3.11: the loop would wait for a thread that reads.
        if reader not in self._read:
            self._read[reader] = reader(self)
        found: T = self._read[reader]
        return found

    @part
    def beginning(self) -> "Turn":
        """Itself, or a turn of its first characters: as much as is read on the event loop."""
        return self if len(self.text) <= AT_ONCE else Turn(self.text[:AT_ONCE])

    @part
    def is_machine_made(self) -> bool:
        """Tell whether the client wrote it: a notification, a command's output, a summary.

        Leading context blocks are passed over: words of the person behind them count.
        """
        at = 0
        context = _CONTEXT.match(self.text)
        while context is not None:
            closing = f"</{context[1]}>"
            end = self.text.find(closing, context.end())
            if end < 0:
                return True
            at = end + len(closing)
            context = _CONTEXT.match(self.text, at)
        rest = self.text[at:].lstrip()
        if not rest:
            return at > 0
        if _MACHINE_TAG.match(rest) is not None or _HOOK_LINE.match(rest) is not None:
            return True
        return rest[:120].lower().startswith(_MACHINE_START)

    @part
    def parts(self) -> tuple[Block, ...]:
        """Its lines in their order, as runs of the person's own and of pasted ones."""
        return blocks(self.text)

    @part
    def typed(self) -> str:
        """The part typed by the person; an empty line stands for pasted text."""
        return "\n".join("" if each.pasted else each.text for each in self.parts)

    @part
    def own(self) -> Masked:
        """The prose of the typed part, with a mark for each quotation of another's words."""
        return without_quotations(prose(self.typed))

    @part
    def sentences(self) -> tuple[str, ...]:
        """Sentences of the person's own words, spelled in full, with the marks of quotations."""
        return tuple(map(spelled, sentences_of_prose(self.own.text)))

    @part
    def clauses(self) -> tuple[str, ...]:
        """Sentences, cut where a person states and asks in one breath."""
        return tuple(clause for line in self.sentences for clause in _CLAUSE_END.split(line))
