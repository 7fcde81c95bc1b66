"""Descriptions of folders: one sentence about the purpose of each, out of the document in it.

A question finds its folder by words alone, before any search: "where do we resize images?".
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from actors.policy.documents.sections import Section, Shape, blocks, plain, sections
from actors.policy.patterns import pattern
from actors.policy.references.naming import is_written
from actors.policy.text.wording import sentences, shortened
from actors.policy.text.words import STOP_WORDS, caseless

LONGEST: Final = 150  # characters of a description
READ: Final = 8_192  # characters of a document: its purpose stands at its beginning
DEEPEST: Final = 3  # folders below the project: a part of a part of `packages`
FOLDERS: Final = 200  # of a project

# The document that describes its folder, the first that is there.
_NAMES: Final = ("spec.md", "readme.md", "readme.rst", "readme.txt", "readme")
_PURPOSE: Final = caseless(
    r"\A\W*(?:the )?(?:problem|purpose|overview|about|what (?:is|it)|summary|description)\b"
)
_WORD: Final = pattern(r"[^\W_]{3,}")
_SAID: Final = pattern(r"https?://\S+|[^\W_]{3,}")  # a link counts as one word
_TOLD_WORDS: Final = 3  # words of a sentence that says something


class Description(Struct, frozen=True):
    """A folder in one sentence."""

    folder: str  # its path in the project; "" is the project itself
    sentence: str
    keywords: frozenset[str]  # of the sentence and of the path


def describing(paths: Iterable[str]) -> dict[str, str]:
    """Choose the describing document of each folder, at most ``FOLDERS`` of them, by folder."""
    found: dict[str, str] = {}
    described = (path for path in paths if may_describe(path))
    for path in sorted(described, key=lambda one: _NAMES.index(one.rpartition("/")[2].casefold())):
        found.setdefault(path.rpartition("/")[0], path)
    return dict(sorted(found.items())[:FOLDERS])


def may_describe(path: str) -> bool:
    """Return whether a file may describe its folder's purpose."""
    name = path.rpartition("/")[2].casefold()
    return name in _NAMES and path.count("/") <= DEEPEST and is_written(path)


def description(folder: str, text: str) -> Description:
    """Describe a folder by its document: the title, and a sentence about the purpose.

    The sentence is the first of a section "Problem", "Purpose" or "Overview", else the first of the
    document. Without either it is the title alone, and without one empty.
    """
    found = sections(text[:READ])
    title = plain(next((one.headings[0] for one in found if one.headings), "")).strip()
    purposes = [one for one in found if one.headings and _PURPOSE.match(one.headings[-1])]
    said = next((one for section in (*purposes, *found) for one in _first_sentences(section)), "")
    if said and title and not said.casefold().startswith(title.casefold()):
        said = f"{title}: {said}"
    sentence = shortened(said or title, LONGEST)
    return Description(folder, sentence, terms(f"{folder} {sentence}"))


def terms(text: str) -> frozenset[str]:
    """Return the words of three letters or more, without stop words, in lower case."""
    return frozenset(_WORD.findall(text.casefold())) - STOP_WORDS


def matched(asked: frozenset[str], found: Description) -> float:
    """Share of the terms asked for among a folder's keywords, or within its sentence, 0..1."""
    sentence = found.sentence.casefold()
    return sum(one in found.keywords or one in sentence for one in asked) / max(1, len(asked))


def _first_sentences(section: Section) -> Iterator[str]:
    """Yield the first sentence of each paragraph with enough words."""
    for block in blocks(section):
        first = next(iter(sentences(block.text)), "") if block.shape is Shape.PARAGRAPH else ""
        if len(_SAID.findall(first)) >= _TOLD_WORDS:
            yield first
