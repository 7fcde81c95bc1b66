"""What two texts have in common, as numbers that can be read off them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate.gate_features import (
    WEIGHTS,
    features,
    gives_up_another,
    loses_nothing,
    new_detail,
    read,
)


def numbers(existing: str, incoming: str, similarity: float = 0.9) -> dict[str, float]:
    values = features(read(existing), read(incoming), similarity)
    return dict(zip(WEIGHTS, values, strict=True))


def test_equal_texts_share_everything_and_differ_in_nothing() -> None:
    found = numbers("Tests run on pytest", "Tests run on pytest")

    assert found["shared"] == found["order"] == found["aligned"] == found["length_ratio"] == 1
    assert found["only_old"] == found["only_new"] == found["negated"] == found["swapped"] == 0


def test_shares_are_of_content_words() -> None:
    found = numbers("the cache of the billing service", "a cache for every service on this host")

    assert found["covers_old"] == 2 / 3  # cache and service of cache, billing, service
    assert found["covers_new"] == 2 / 4  # ... of cache, every, service, host
    assert found["shared"] == 2 / 5
    assert (found["only_old"], found["only_new"], found["only_both"]) == (1, 2, 1)


@pytest.mark.parametrize(
    ("existing", "incoming", "names"),
    [
        ("The port is 5432", "The port is 5433", {"swapped", "swapped_code", "number", "code"}),
        ("Tests run on jest", "Tests run on vitest", {"swapped", "swapped_kind", "kind"}),
        ("Flags are enabled", "Flags are disabled", {"swapped", "opposite"}),
        ("Flags are set", "Flags are not set", {"negated", "negated_close"}),
        ("Flags aren't set", "Flags were never set", {"negated_both", "swapped_few"}),
        ("The worker retries", "The server retries", {"swapped_subject", "subject"}),
        ("Worker w1 retries", "Worker w2 retries", {"subject_code", "code"}),
        ("Mail goes to Kim", "Mail goes to Lee", {"name", "swapped_code"}),
        ("Mail goes out", "Mail goes to Lee", {"name_one_side"}),
        ("Mail goes out", "Mail goes out at 9", {"number_one_side", "added"}),
        ("a 1 b 2", "a 3 b 4", {"numbers"}),
        ("The staging port is 1", "The production port is 1", {"qualifier"}),
        ("Host a1 has port 1", "Host b2 has port 2", {"subject_and_value"}),
        ("It runs on Heroku", "It now runs on Heroku", {"announced"}),
        ("It runs on Heroku", "It is wrong that it runs on Heroku", {"marker"}),
        ("red apples", "green apples", {"replaced", "last"}),
    ],
)
def test_each_difference_has_its_number(existing: str, incoming: str, names: set[str]) -> None:
    found = numbers(existing, incoming)

    assert {name for name in names if found[name] > 0} == names


def test_numbers_are_the_same_in_words_and_digits() -> None:
    words = numbers("Three retries on the second try", "3 retries on the 2nd try")

    assert words["aligned"] == 1
    assert words["number"] == words["number_one_side"] == 0
    assert words["numbers_shared"] == 2


def test_a_thing_given_up_counts_only_against_a_text_that_has_it() -> None:
    incoming = read("Use gRPC instead of REST")

    assert gives_up_another(read("Services speak gRPC"), incoming)
    assert not gives_up_another(read("Services speak REST"), incoming)
    assert not gives_up_another(read("Services speak REST"), read("Use gRPC"))
    assert numbers("Services speak gRPC", "Use gRPC instead of REST")["marker"] == 0
    assert numbers("Services speak REST", "Use gRPC instead of REST")["marker"] > 0


def test_a_new_number_or_path_is_a_detail_and_a_new_name_is_not() -> None:
    old = read("Reports go to the archive")

    assert new_detail(old, read("Reports go to the archive at 9"))
    assert new_detail(old, read("Reports go to /mnt/archive"))
    assert not new_detail(old, read("Reports go to the archive of Kim"))


def test_nothing_is_lost_when_every_word_of_the_old_text_is_there() -> None:
    old = read("Deploys need an approval")

    assert loses_nothing(old, read("An approval is what deploys to production need"))
    assert not loses_nothing(old, read("Deploys need a release captain"))


@given(st.text(max_size=120), st.text(max_size=120), st.floats(0, 1))
def test_no_text_breaks_it_and_every_number_is_small(
    existing: str, incoming: str, similarity: float
) -> None:
    values = features(read(existing), read(incoming), similarity)

    assert len(values) == len(WEIGHTS)
    assert all(0 <= value <= 6 for value in values)


@given(st.text(max_size=120))
def test_no_text_differs_from_itself(text: str) -> None:
    found = numbers(text, text)

    assert all(found[name] == 0 for name in WEIGHTS if name.startswith(("only", "swapped", "number"))
               and name != "numbers_shared")  # fmt: skip
    assert found["negated"] == found["marker"] == found["subject"] == 0
