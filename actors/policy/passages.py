"""Passages: where documents, summaries and turns are cut, what is quoted of a passage, and when it is told.

A passage has about 200 to 1,200 characters. It ends where a section, a paragraph or a list entry ends,
and in the middle of a sentence only when the sentence is too long by itself. Its title names its source:
a document's headings, or the answered prompt.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import fsum
from typing import Final

from msgspec import Struct

from actors.policy.documents.sections import Section
from actors.policy.events.events import ASKING, Event, EventKind, mapping
from actors.policy.patterns import pattern
from actors.policy.recall.evidence import Asked
from actors.policy.text.chunking import chunks
from actors.policy.text.wording import one_line, sentences, shortened
from actors.policy.text.words import caseless, stems

TOKENS: Final = 256  # estimated, of a passage: about 1,000 characters of prose, one vector (choice)
LEAST: Final = 200  # characters: what is shorter joins its neighbour
MOST: Final = 1_200  # characters: with what it is joined to
TITLE: Final = 160  # characters
PIECES: Final = 200  # of one text at most; an event's text was cut to 16 KiB before


class Piece(Struct, frozen=True):
    """A passage as it is cut."""

    title: str
    text: str


def turn(prompts: Sequence[str], answer: str) -> tuple[Piece, ...]:
    """Cut prompts and the answer to them; each piece is titled with the last prompt."""
    title = one_line(prompts[-1], TITLE) if prompts else ""
    return _pieces(title, "\n\n".join(filter(None, (*prompts, answer))))


def summary(text: str) -> tuple[Piece, ...]:
    """Cut a client's summary of a session so far."""
    return _pieces("", text)


def document(sections: Sequence[Section]) -> tuple[Piece, ...]:
    """Cut a document's sections; short neighbours stand together."""
    found = (piece for title, text in _joined(sections) for piece in _pieces(title, text))
    return tuple(found)[:PIECES]


def _joined(sections: Sequence[Section]) -> Iterator[tuple[str, str]]:
    """Title and text of each section; the text of joined ones has the later headings in it."""
    title, gathered = "", ""
    for section in sections:
        if gathered and len(gathered) < LEAST and len(gathered) + len(section.text) <= MOST:
            heading = section.headings[-1] if section.headings else ""
            gathered = "\n\n".join(filter(None, (gathered, heading, section.text)))
            continue
        if gathered:
            yield title, gathered
        title, gathered = " › ".join(section.headings)[-TITLE:], section.text
    if gathered:
        yield title, gathered


def _pieces(title: str, text: str) -> tuple[Piece, ...]:
    cut: list[str] = []
    for part in chunks(text, limit=TOKENS):
        short = cut and min(len(part), len(cut[-1])) < LEAST
        if short and len(part) + len(cut[-1]) <= MOST:
            cut[-1] = f"{cut[-1]}\n\n{part}"
        else:
            cut.append(part)
    return tuple(Piece(title, part) for part in cut[:PIECES])


# ---- turns: a person's words, up to the answer to them
#
# Prompts without an answer of their own (the work was interrupted, or a choice was offered in the
# middle) belong to the next one. A client's own messages are nobody's word, but the answer to one is
# an answer.


PROMPTS: Final = 12  # prompts and choices of one turn; the first leave

_SETTLING: Final = frozenset({EventKind.TURN_END, EventKind.SESSION_END})


class Exchange(Struct, frozen=True):
    """Words not answered yet, and their first event."""

    said: tuple[str, ...]
    first_seq: int


NOTHING_SAID: Final = Exchange((), 0)


def after(turn: Exchange, event: Event, seq: int) -> tuple[Exchange, Exchange | None]:
    """The turn after this event, and the turn settled by it, if any."""
    if event.kind in _SETTLING:
        settled = turn if turn.said else Exchange((), seq)
        return NOTHING_SAID, settled if turn.said or event.message else None
    said = tuple(_said(event))
    if not said:
        return turn, None
    return Exchange((*turn.said, *said)[-PROMPTS:], turn.first_seq or seq), None


def _said(event: Event) -> Iterator[str]:
    """Words of a person in this event: a prompt, or choices among offered options."""
    if event.kind is EventKind.PROMPT:
        if event.is_typed_prompt and event.prompt.strip():
            yield event.prompt.strip()
    elif event.kind is EventKind.TOOL and event.tool is not None and event.tool.name == ASKING:
        for question, answer in mapping(mapping(event.tool.response).get("answers")).items():
            if isinstance(answer, str):
                yield f"Asked “{question}”: {answer}"


# ---- quoting a passage: its sentences nearest to the question, within a line's room
#
# A passage is as long as a section; a prompt gets the few sentences it was found for. They follow one
# another in the passage, so nothing is put together out of separate places.


ROOM: Final = 260  # characters of a quotation: what a reader takes in beside a task (choice)
TITLE_SHOWN: Final = 60  # characters of a title in that line
_MARKS: Final = pattern(
    r"^[ \t]*(?:[-*+>#]+|\d{1,3}[.)]|\|)[ \t]+|\*\*|(?<![ \t])[ \t]*+\|[ \t]*+$", re.MULTILINE
)
_FENCE: Final = pattern(r"^[ \t]*(?:```|~~~).*$|^[ \t|:-]+$", re.MULTILINE)

_SIGNS: Final = "✅✓“\"'*_-–— "  # before a sentence
# An agent's account of its own steps: of 25 quotations that begin so one was of use, of 40 others
# eight (docs/adr/0018).
_NARRATION: Final = caseless(
    r"(?:(?:all )?done|great|perfect|excellent|good|now|summary|let me|let's|i|i've|i'll|i'm"
    r"|created|updated|added|implemented|fixed|removed|deleted|changed|renamed|moved|refactored"
    r"|committed|pushed|implementation complete|here'?s (?:a summary|what))\b"
)


def answer_of_turn(title: str, text: str) -> str:
    """Return the answer of a turn, without its prompt, which comes first and is its title."""
    said, paragraphs = title.rstrip("…").split(), text.split("\n\n")
    at = 0
    while said and at < len(paragraphs):
        words = paragraphs[at].split()
        both = min(len(words), len(said))
        if words[:both] != said[:both]:
            break
        said, at = said[both:], at + 1
    return "\n\n".join(paragraphs[at:])


def whence(kind: str, place: str, title: str) -> str:
    """Place of a passage, in words: a document with its heading, or the prompt answered."""
    about = shortened(one_line(title), TITLE_SHOWN)
    match kind:
        case "document":
            return f"{one_line(place)}{f', {about}' if about else ''}"
        case "summary":
            return "a session's summary"
        case _:
            return f"an agent, asked “{about}”" if about else "an agent"


def quoted(text: str, weights: Mapping[str, float], room: int = ROOM) -> str:
    """Quotation of at most ``room`` characters with most of the words asked for.

    ``weights`` are of stems. Of equal windows the first is taken, so a text without any of the
    words is quoted from its beginning.
    """
    parts = _sentences(text)
    if not parts:
        return ""
    each = [frozenset(weights) & stems(part) for part in parts]
    ends = [0, *accumulate(len(part) + 1 for part in parts)]
    best, first, last = -1.0, 0, 1
    stop = 0
    for start in range(len(parts)):
        stop = max(stop, start + 1)
        while stop < len(parts) and ends[stop + 1] - ends[start] - 1 <= room:
            stop += 1
        had = frozenset[str]().union(*each[start:stop])
        mass = fsum(weights[stem] for stem in had)  # exact: a set has no order
        if mass > best:
            best, first, last = mass, start, stop
    return shortened(" ".join(parts[first:last]), room)


def _sentences(text: str) -> list[str]:
    """Sentences and lines without the marks of Markdown and an agent's account of its steps."""
    plain = _MARKS.sub("", _FENCE.sub("", text))
    return [
        one
        for line in plain.splitlines()
        if line.strip()
        for part in sentences(line)
        if (one := " ".join(part.split())) and not _NARRATION.match(one.lstrip(_SIGNS))
    ]


# ---- telling a passage beside a prompt: whether its quotation bears on the question
#
# Two conditions: a vector near the prompt's, and telling words of the prompt in the quotation itself.
# Likeness alone finds earlier copies of the prompt ("push it"), and words alone the project's own.
# The limits are read from judged quotations (docs/adr/0018).


NEAR: Final = 0.5  # cosine with the prompt, at least
SHARED: Final = 2.0  # weight of the prompt's words that the quotation has, at least
COVERED: Final = 0.2  # share of the weight of all that the prompt asks, at least
NEW: Final = 0.5  # share of the quotation's words that the prompt does not have, at least
SAID: Final = 0.6  # share of a quotation's words by which a note says the same


def confidence(question: Asked, cosine: float, quotation: str) -> float:
    """Confidence, 0..1, in a quotation's bearing on a prompt."""
    shared = question.shared(stems(quotation))
    return 1.0 / (1.0 + math.exp(-(4.0 * (cosine - NEAR) + 0.7 * (shared - SHARED))))


def bears(question: Asked, prompt: frozenset[str], cosine: float, quotation: str) -> bool:
    """Return whether a quotation is to be told: near, with words of the question, and new.

    ``prompt``: the stems of all its words; a quotation with little beyond them is the same prompt,
    typed before.
    """
    found = stems(quotation)
    needed = max(SHARED, COVERED * question.mass)
    new = len(found - prompt) >= NEW * len(found)
    return cosine >= NEAR and question.shared(found) >= needed and new


def says(note: str, quotation: str) -> bool:
    """Return whether a note has most of the words of a quotation."""
    wanted = stems(quotation)
    return bool(wanted) and len(wanted & stems(note)) >= SAID * len(wanted)


def echoes(said: Mapping[int, frozenset[str]], others: Sequence[frozenset[str]]) -> frozenset[int]:
    """Select the texts with most of their words in one of the others; all are given as stems.

    A text with most of the words has one of the rarest of them as well, and only such texts are
    compared (prefix filtering, Chaudhuri, Ganti and Kaushik 2006).
    """
    having: dict[str, list[int]] = {}
    for place, other in enumerate(others):
        for word in other:
            having.setdefault(word, []).append(place)
    gone: set[int] = set()
    for number, words in said.items():
        needed = math.ceil(SAID * len(words))
        rarest = sorted(words, key=lambda word: len(having.get(word, ())))
        near = {
            place for word in rarest[: len(words) - needed + 1] for place in having.get(word, ())
        }
        if any(len(words & others[place]) >= needed for place in near):
            gone.add(number)
    return frozenset(gone)
