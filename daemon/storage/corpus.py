"""Corpora: the kinds of text searched by words and vectors, and their tables.

Memories and passages are held by one word index and one vector index; only the places of their
texts differ. No two corpora share a table, so a result of one is never of the other.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Corpus:
    """Tables of one kind of text."""

    texts: str  # with id, project, title, text and content_hash
    living: str  # condition of a text that is searched
    phrases: str  # expression for the phrases that call a text, a line each
    words: str  # FTS5 table: title, triggers, body
    terms: str  # fts5vocab of that
    changes: str  # texts whose words came, changed or went
    chunks: str  # pieces of texts that have vectors
    vectors: str  # vec0 table; there once a model was chosen
    owner: str  # column of the last three that names the text
    files: str  # beginning of the names of its files in the index folder


MEMORIES: Final = Corpus(
    texts="memory",
    living="ended IS NULL",
    phrases="(SELECT group_concat(phrase, char(10)) FROM trigger_phrase t"
    " WHERE t.memory_id = memory.id)",
    words="memory_words",
    terms="memory_terms",
    changes="word_change",
    chunks="chunk",
    vectors="memory_vector",
    owner="memory_id",
    files="",
)
PASSAGES: Final = Corpus(
    texts="passage",
    living="1",
    phrases="''",
    words="passage_words",
    terms="passage_terms",
    changes="passage_change",
    chunks="passage_chunk",
    vectors="passage_vector",
    owner="passage_id",
    files="passages.",
)
