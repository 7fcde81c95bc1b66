"""Cutting: documents, summaries and turns as passages of about 200 to 1,200 characters.

A passage ends where a section, a paragraph or a list entry ends, and in the middle of a sentence
only when the sentence is too long by itself. Its title names its source: a document's headings, or
the answered prompt.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.documents.sections import Section
from actors.policy.text.chunking import chunks
from actors.policy.text.wording import one_line

TOKENS: Final = 256
"""Estimated tokens of a passage: about 1,000 characters of prose, one vector (choice)."""

LEAST: Final = 200  # characters: what is shorter joins its neighbour
MOST: Final = 1_200  # characters: with what it is joined to
TITLE: Final = 160  # characters
PIECES: Final = 200  # of one text at most; an event's text was cut to 16 KiB before


@dataclass(frozen=True, slots=True)
class Piece:
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
