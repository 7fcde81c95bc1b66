"""Words as they are written: known at once, by their parts, the more frequent one first."""

from collections.abc import Iterable

import pytest

from actors.policy.index import spellings
from actors.policy.index.spellings import Spellings
from actors.policy.text.spelling import Known, known


def spelt(*texts: str) -> Spellings:
    """The words of these texts."""
    made = Spellings()
    for text in texts:
        made.add(text)
    return made


def test_words_are_known_as_they_are_written_and_by_the_parts_of_a_symbol() -> None:
    """Stems would be no spellings."""
    made = spelt("The deployments call refreshSessionToken twice.")

    assert made.meant(["deploymnets", "sesion"]) == {
        "deploymnets": "deployments",
        "sesion": "session",
    }
    assert made.meant(["deployments", "twice", "the"]) == {}


def test_of_two_that_are_as_near_the_more_frequent_is_meant() -> None:
    made = spelt("scheduler schedules", "schedules", "schedules", *("padding " * 3,) * 3)
    again = Spellings(made.arrays())

    assert again.meant(["scheduled"]) == {}  # another form of a known word
    assert Spellings(spelt("wardens", "wardeny", "wardeny").arrays()).meant(["wardenx"]) == {
        "wardenx": "wardeny"
    }


def test_many_new_words_make_the_table_anew_between_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables: list[int] = []

    def counted(terms: Iterable[str]) -> Known:
        held = list(terms)
        tables.append(len(held))
        return known(held)

    monkeypatch.setattr(spellings, "known", counted)
    monkeypatch.setattr(spellings, "FRESH", 20)
    made = Spellings()
    letters = "abcdefghijklmnopqrstuvwxyz"
    made.add(" ".join(f"q{a}{b}xy" for a in "ab" for b in letters))

    made.meant(["qaabxy"])
    made.meant(["qaabxy"])
    made.tidied()
    made.tidied()

    assert tables == [0, 52, 52]
    assert len(made) == 52


def test_an_empty_one_knows_nothing_and_comes_back() -> None:
    again = Spellings(Spellings().arrays())
    again.add("the lighthouse")

    assert again.meant(["lighthuose"]) == {"lighthuose": "lighthouse"}


def test_what_was_kept_is_known_again() -> None:
    made = Spellings(spelt("the lighthouse", "порт-терминал").arrays())

    assert made.meant(["lighthuose"]) == {"lighthuose": "lighthouse"}
    assert len(made) == 4
