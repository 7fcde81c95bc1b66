"""What was in use last is kept, and what was longest out of use goes."""

from __future__ import annotations

from actors.core.equipment import Latest


def filled() -> Latest[str, int]:
    kept: Latest[str, int] = Latest(2)
    kept["a"] = 1
    kept["b"] = 2
    return kept


def test_what_was_longest_out_of_use_goes() -> None:
    kept = filled()
    kept["c"] = 3

    assert dict(kept) == {"b": 2, "c": 3}


def test_what_is_looked_up_or_set_again_stays() -> None:
    kept = filled()
    seen = kept["a"]
    kept["c"] = 3
    kept["a"] = 4
    kept["d"] = 5

    assert seen == 1
    assert dict(kept) == {"a": 4, "d": 5}


def test_a_look_by_get_moves_nothing() -> None:
    kept = filled()
    seen = kept.get("a")
    kept["c"] = 3

    assert seen == 1
    assert list(kept) == ["b", "c"]


def test_what_is_taken_out_is_gone() -> None:
    kept = filled()
    taken = kept.pop("a")
    last = kept.popitem()

    assert (taken, last, len(kept)) == (1, ("b", 2), 0)
