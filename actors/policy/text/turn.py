"""A turn: words of a person to an agent, or of the agent, read once for all who ask of them.

The speakers of a prompt's words (the client's, pasted, quoted from others, the person's own), the ends of
its sentences and clauses: every rule about a person's words asks the same. A ``Turn`` is made where an
event is taken in; parts nobody asks for are not read, and a part asked for is there for the next.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from actors.policy.patterns import pattern
from actors.policy.text.pasted import Block, blocks
from actors.policy.text.wording import prose, sentences_of_prose
from actors.policy.text.words import caseless

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
_CONTRACTIONS: Final = {
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't",
    "wasnt": "wasn't", "wont": "won't", "cant": "can't", "shouldnt": "shouldn't", "im": "I'm",
    "mustnt": "mustn't", "ive": "I've", "thats": "that's", "youre": "you're", "weve": "we've",
    "theyre": "they're", "hasnt": "hasn't", "havent": "haven't", "pls": "please", "plz": "please",
}  # fmt: skip
_CONTRACTED: Final = caseless(rf"(?<![\w`./-])(?:{'|'.join(_CONTRACTIONS)})(?![\w`/-])(?!\.\w)")

# Somebody else says so, or it is to be written somewhere.
_REPORTED: Final = caseless(
    r"^(?!(?:i|we)\b)[^,;:]{1,60}?\b(?:says?|said|saying|wrote|writes|claims|suggest(?:s|ed)"
    r"|recommend(?:s|ed)|told (?:me|us|you)|mentioned|asks|asked|thinks|thought|proposed?)\b"
    r"|^according to\b|\b(?:should|must|to|and) (?:say|state|mention|explain|tell \w+)\b"
    r"|\b(?:an?|the|some) (?:\w+ )?(?:text|banner|message|note|comment|line|docs?|document|readme"
    r"|page|section|example)s? (?:that|which|about|saying|why|how)\b"
)
_EMBEDDED: Final = caseless(
    r"\b(?:checks|verifies|ensures|why|how|whether|where|if|unless|until|when|which|who|what"
    r"|(?<!now )(?<!note )(?<!sure )(?<!so )that)\s+$"
)


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
    return _CONTRACTED.sub(_contraction, line)


def is_reported(line: str, upto: int) -> bool:
    """Return whether the words at ``upto`` are told of others, or are to be written down."""
    return bool(_REPORTED.search(line, 0, max(upto, 1)))


def is_embedded(line: str, upto: int) -> bool:
    """Return whether the words at ``upto`` are object of another clause: "explain why we ..."."""
    return bool(_EMBEDDED.search(line, 0, upto))


def _contraction(found: re.Match[str]) -> str:
    full = _CONTRACTIONS[found[0].lower()]
    return full[0].upper() + full[1:] if found[0][0].isupper() else full


T = TypeVar("T")

AT_ONCE: Final = 8_000  # characters: 2 to 3 ms; of 200,000 it is 60

# Tags with which a client begins a prompt that nobody typed.
_MACHINE_TAG: Final = pattern(
    r"<(?:task-notification|task-reminder|local-command-(?:stdout|stderr|caveat)"
    r"|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|teammate-message"
    r"|user-prompt-submit-hook|session-start-hook|new-diagnostics|scheduled-task|tick|agent-message"
    r"|background-task[\w\-]{0,40}|loop-[\w\-]{1,40}|cross-session-message)\b"
)
_MACHINE_START: Final = (
    "caveat: the messages below were generated by the user while running local commands",
    "this session is being continued from a previous conversation",
    "please continue the conversation from where we left",
    "your task is to create a detailed summary of the conversation",
    "base directory for this skill:",
    "[request interrupted by user",
    "[system notification",
    "stop hook feedback:",
    "subagentstop hook feedback:",
    "no response requested.",
    "another claude session sent a message:",
    "operation stopped by hook:",
)
_HOOK_LINE: Final = pattern(
    r"[A-Z][A-Za-z]{2,30}(?::\w{1,40})? hook (?:additional context|success|feedback|blocking|error)"
)
# Context that a client or an editor puts before what the person typed.
_CONTEXT: Final = pattern(
    r"(?<!\s)\s*+<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|environment_context"
    r"|user_instructions|editor-context)\b[^>]{0,200}>"
)
# People state and ask in one breath: "I prefer short functions, but can you look at this?"
_CLAUSE_END: Final = caseless(
    r"(?:,\s*+|(?<!\s)\s++)(?:and|but|also|so|plus)\s+(?=(?:please\s+)?(?:always|never|from now on"
    r"|going forward|remember|keep in mind|do(?:n['’]?t| not) ever|in (?:the )?future)\b)"
    r"|(?:,|(?<!\s))\s++(?:and|but|so)\s+(?=(?:i|we|can|could|would|what|how|please|now)\b)"
    r"|,\s+(?=(?:can|could|would) you\b|(?:is|are|can|should)n['’]t\b|what\b|how\b|please\b|i prefer\b)"
    r"|(?<!\s)\s++[-–—]+\s+(?=(?:we|our)\b)|(?<=['\"\w])\s+and\s+(?=the [\w-]+ is \S+, not\b)"
)


class Turn:
    """A text of a person or an agent, and whatever has been read of it. Pure: threads find the same."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._read: dict[Callable[[Turn], Any], Any] = {}

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

    @property
    def beginning(self) -> "Turn":
        """Itself, or a turn of its first characters: as much as is read on the event loop."""
        return self if len(self.text) <= AT_ONCE else self.read(_beginning)

    @property
    def is_machine_made(self) -> bool:
        """Tell whether the client wrote it: a notification, a command's output, a summary.

        Leading context blocks are passed over: words of the person behind them count.
        """
        return self.read(_is_machine_made)

    @property
    def parts(self) -> tuple[Block, ...]:
        """Its lines in their order, as runs of the person's own and of pasted ones."""
        return self.read(_parts)

    @property
    def typed(self) -> str:
        """The part typed by the person; an empty line stands for pasted text."""
        return self.read(_typed)

    @property
    def own(self) -> Masked:
        """The prose of the typed part, with a mark for each quotation of another's words."""
        return self.read(_own)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences of the person's own words, spelled in full, with the marks of quotations."""
        return self.read(_sentences)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Sentences, cut where a person states and asks in one breath."""
        return self.read(_clauses)


def _beginning(turn: Turn) -> Turn:
    return Turn(turn.text[:AT_ONCE])


def _is_machine_made(turn: Turn) -> bool:
    prompt, at = turn.text, 0
    context = _CONTEXT.match(prompt)
    while context is not None:
        closing = f"</{context[1]}>"
        end = prompt.find(closing, context.end())
        if end < 0:
            return True
        at = end + len(closing)
        context = _CONTEXT.match(prompt, at)
    rest = prompt[at:].lstrip()
    if not rest:
        return at > 0
    if _MACHINE_TAG.match(rest) is not None or _HOOK_LINE.match(rest) is not None:
        return True
    return rest[:120].lower().startswith(_MACHINE_START)


def _parts(turn: Turn) -> tuple[Block, ...]:
    return blocks(turn.text)


def _typed(turn: Turn) -> str:
    return "\n".join("" if part.pasted else part.text for part in turn.parts)


def _own(turn: Turn) -> Masked:
    return without_quotations(prose(turn.typed))


def _sentences(turn: Turn) -> tuple[str, ...]:
    return tuple(map(spelled, sentences_of_prose(turn.own.text)))


def _clauses(turn: Turn) -> tuple[str, ...]:
    return tuple(clause for line in turn.sentences for clause in _CLAUSE_END.split(line))
