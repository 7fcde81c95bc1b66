"""Notes about what a task names."""

from __future__ import annotations

from actors.policy.recall.notes import COMMON, Named, told_of

TASK = "Mend src/pool.py and read shop.toml. The pool of src/pool.py hangs in StagingPool."


def test_the_note_about_the_rarest_and_most_of_it_comes_first() -> None:
    named = [
        Named(1, "src/pool.py", 4), Named(2, "StagingPool", 2), Named(3, "src/pool.py", 4),
        Named(3, "StagingPool", 2),
    ]  # fmt: skip

    assert told_of(named, TASK, 4) == [3, 2, 1]
    assert told_of(named, TASK, 1) == [3]


def test_a_file_of_many_notes_counts_where_the_task_comes_back_to_it() -> None:
    often, once = Named(1, "src/pool.py", COMMON), Named(2, "etc/shop.toml", COMMON)

    assert told_of([often, once], TASK, 4) == [1]
    assert told_of([once._replace(notes=COMMON - 1)], TASK, 4) == [2]
