"""The event of a quotation, its speaker, and the question behind a short one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.reader.digest import PERSONS, Digest, Shown, Who, folded
from actors.policy.text.wording import shortened
from actors.policy.text.words import informative, stem

SHORT: Final = 4  # words from which a quotation says by itself what was meant
ANSWERED: Final = 240  # characters of the sentence that a short one answers
# Telling words that a note has in common with what proves it. Of 93 recorded notes of a person's words
# none has fewer with the prompt that they quote and what the agent said before it; with three two are lost.
SHARED: Final = 2
_ASIDE: Final = " \t\n\"'“”‘’«»…"  # marks of a model around a quotation
_SENTENCE_END: Final = pattern(r"(?<=[.!?])\s+|\n")
# "option 2", "2", "b)": which of several it was.
_CHOICE: Final = pattern(
    r"\A(?:options?|number|nr\.?|no\.?|#)?\s*([0-9]{1,2}|[a-z])\b", re.IGNORECASE
)
_BULLET: Final = r"(?im)^[ \t*_#>-]*(?:option )?{}[ .):*_-]+(\S.*)$"


@dataclass(frozen=True, slots=True)
class Proof:
    """A quotation in the session."""

    shown: Shown
    text: str
    agreed_to: str = ""  # the sentence that a short one answers
    is_persons: bool = False  # a person said it, and of what the note tells


class Session:
    """The texts of a digest, ready to be searched for quotations."""

    def __init__(self, digest: Digest) -> None:
        self._shown = digest.shown
        self._plain = [folded(one.text) for one in digest.shown]
        self._contexts: dict[int, frozenset[str]] = {}

    def proof(self, quotation: str, note: str, *, by_user: bool) -> Proof | None:
        """Find a quotation; None when no text of the session has it, white space and case aside.

        Of several texts with it the ones of the note's speaker come first, then the one with most
        in common with the note, then the earliest.
        """
        sought = folded(quotation.strip(_ASIDE)).removesuffix("...").rstrip()
        if not sought:
            return None
        words = telling(note)
        places = list(self._having(sought))
        if not places:
            return None
        best = max(places, key=lambda place: self._weight(place, words, by_user=by_user))
        return self._proved(best, sought, words)

    def _having(self, sought: str) -> Iterator[int]:
        is_short = len(sought.split()) < SHORT
        for place, plain in enumerate(self._plain):
            if sought in plain and (not is_short or _stands_in(sought, plain)):
                yield place

    def _weight(self, place: int, words: frozenset[str], *, by_user: bool) -> tuple[bool, int, int]:
        is_persons = self._shown[place].who in PERSONS
        return is_persons is by_user, len(words & self._context(place)), -place

    def _context(self, place: int) -> frozenset[str]:
        """The telling words of a text, and of the agent's message before it."""
        if place not in self._contexts:
            said = telling(self._shown[place].text)
            self._contexts[place] = said | telling(self._before(place))
        return self._contexts[place]

    def _before(self, place: int) -> str:
        """The agent's last message before this text."""
        earlier = (self._shown[at] for at in range(place - 1, -1, -1))
        return next((one.text for one in earlier if one.who is Who.AGENT), "")

    def _proved(self, place: int, sought: str, words: frozenset[str]) -> Proof:
        shown = self._shown[place]
        text = _as_written(sought, shown.text)
        said_by_person = shown.who in PERSONS
        agreed_to = ""
        if len(text.split()) < SHORT:
            text = _sentence_around(text, shown.text)
        if said_by_person and len(text.split()) < SHORT:
            agreed_to = answered_by(text, self._before(place))
        is_about = len(words & self._context(place)) >= min(SHARED, len(words))
        is_resolved = len(text.split()) >= SHORT or bool(agreed_to)
        return Proof(shown, text, agreed_to, said_by_person and is_about and is_resolved)


def telling(text: str) -> frozenset[str]:
    """The stems of a text's telling words."""
    return frozenset(stem(word) for word in informative(text, limit=64))


def answered_by(answer: str, before: str) -> str:
    """The sentence answered by a short answer: the option it names, a question, or the last one before it."""
    before = before.replace("**", "")
    choice = _CHOICE.match(answer.strip())
    if choice is not None:
        option = re.search(_BULLET.format(re.escape(choice[1])), before)
        if option is not None:
            return shortened(option[1].strip(), ANSWERED)
    sentences = _sentences(before)
    questions = [one for one in sentences if one.endswith("?")]
    return shortened((questions or sentences or [""])[-1], ANSWERED)


def _sentences(text: str) -> list[str]:
    found = (one.strip(" \t*_#>-") for one in _SENTENCE_END.split(text))
    return [one for one in found if any(map(str.isalnum, one))]


def _sentence_around(quotation: str, text: str) -> str:
    """The sentence around a short quotation, as the text has it."""
    having = (one for one in _SENTENCE_END.split(text) if quotation in one)
    return shortened(next(having, quotation).strip(), ANSWERED)


def _as_written(sought: str, text: str) -> str:
    """The quotation as the text writes it."""
    pattern = r"\s+".join(re.escape(word) for word in sought.split())
    found = re.search(pattern, text, re.IGNORECASE)
    return " ".join(found[0].split()) if found else sought


def _stands_in(sought: str, plain: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(sought)}(?!\w)", plain) is not None
