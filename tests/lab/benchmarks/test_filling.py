"""The benchmark's store is one that the daemon could have written."""

from __future__ import annotations

from pathlib import Path

from actors.memory.rows import Scope
from actors.policy.text.words import index_text
from daemon.storage import memories, recall, stats
from daemon.storage.database.connection import configured
from daemon.storage.index.words import WordIndex
from lab.benchmarks import house
from tests.new_store import in_memory

WIDE = Scope(everywhere=True)


def test_a_filled_store_has_the_words_and_vectors_of_its_texts() -> None:
    sql = in_memory()
    configured(sql, read_only=False)
    sql.rows("INSERT INTO store VALUES ('id', 'x')")

    house.filled(sql, 30)
    (said,) = house.texts(30)
    (made,) = house.vectors(30, 11)
    words = WordIndex(Path("/nowhere"))
    while words.take_up(sql):
        pass

    counts = stats.counts(sql)
    assert (counts.memories, counts.chunks, counts.unvectored) == (30, 30, 0)
    assert [index_text(text) for text in said] == said
    assert memories.memories(sql, [7])[7].text == said[6]
    assert [*recall.nearest_by_sqlite_vec(sql, made[6].tobytes(), WIDE, 1)] == [7]
    terms = said[6].split()[:6]
    fast, plain = (
        {one: round(score, 3) for one, score in hits.items()}
        for hits in (words.words(sql, terms, WIDE, 30), recall.words(sql, terms, WIDE, 30))
    )
    assert fast == plain
    assert len(plain) > 1
