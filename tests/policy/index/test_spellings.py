"""Words as they are written, and which of them a misspelt one means."""

from collections.abc import Iterable
from itertools import permutations

import pytest

from actors.policy.index import spellings
from actors.policy.index.spellings import KnownTerms, Spellings, closest, distance, known_terms
from tests.policy.adversarial import fast, too_slow


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

    def counted(terms: Iterable[str]) -> KnownTerms:
        held = list(terms)
        tables.append(len(held))
        return known_terms(held)

    monkeypatch.setattr(spellings, "known_terms", counted)
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


# ---- one word

TERMS = known_terms(
    ["postgres", "redis", "timeout", "pytest", "migration", "settings", "kubernetes"]
)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("postgers", "postgres"),  # swapped
        ("postgress", "postgres"),  # one too many
        ("timout", "timeout"),  # one too few
        ("reids", "redis"),
        ("rediss", "redis"),
        ("timeaut", "timeout"),  # exchanged
        ("Kubernetse", "kubernetes"),
        ("kuberntess", "kubernetes"),  # two with the same letters, in a long word
        ("migartoin", "migration"),
    ],
)
def test_a_misspelt_word_means_the_nearest_known_term(word: str, meant: str) -> None:
    assert closest(word, TERMS) == meant


@pytest.mark.parametrize(
    "word",
    ["redis", "REDIS", "red", "rdeix", "test", "redis7", "redix", "tedis", "re-dis", "dimeout", "migrasiom", "kbrntes", "tukernetes", "x" * 50, ""],
)  # fmt: skip
def test_no_word_is_taken_for_another_without_need(word: str) -> None:
    assert closest(word, TERMS) is None


def test_of_two_as_near_the_more_frequent_wins_and_the_first_letter_is_right() -> None:
    assert closest("carters", known_terms(["barters", "cartens"])) == "cartens"
    assert closest("carlets", known_terms(["carpets", "cartets"])) == "carpets"
    assert closest("father", known_terms(["gather", "lather"])) is None


@pytest.mark.parametrize(
    ("word", "other"),
    [("reaction", "rejection"), ("policies", "politics"), ("composer", "computer")],
)
def test_a_word_of_its_own_is_not_another_two_letters_away(word: str, other: str) -> None:
    assert closest(word, known_terms([other])) is None


def test_very_short_and_very_long_terms_are_not_kept() -> None:
    assert known_terms(["ab", "abc", "x" * 41, "ABC", "abcd"]).terms == ("abc", "abcd")


def test_of_many_terms_with_the_same_letters_only_some_are_compared() -> None:
    anagrams = ["".join(order) for order in permutations("abcdefg")][:500]
    terms = known_terms([*anagrams, "abcdegfh"])

    assert closest("abcdegfhz", terms) == "abcdegfh"  # fewer letters differ than in any anagram


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abcd", 1), ("abcd", "badc", 2),
     ("abc", "xyz", 3), ("a", "abcde", 3), ("ca", "abc", 3)],
)  # fmt: skip
def test_edits_are_counted_up_to_the_most(one: str, other: str, edits: int) -> None:
    assert distance(one, other, 2) == edits


@pytest.mark.parametrize("word", ["migrations", "migrating", "timeouts", "setting"])
def test_another_form_of_a_known_word_is_no_misspelling(word: str) -> None:
    assert closest(word, TERMS) is None


def test_no_text_takes_long() -> None:
    assert too_slow(lambda text: closest(text, TERMS)) == []


def test_a_word_is_looked_up_among_many_terms_in_little_time() -> None:
    letters = str.maketrans("0123456789", "abcdefghij")
    many = known_terms(f"term{number}".translate(letters) for number in range(50_000))

    assert fast(lambda word: closest(word, many), "temrbcde")
