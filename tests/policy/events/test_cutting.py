"""A hook event made small and clean before it is journaled."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.cutting import Json, Limits, cut, cut_text, is_overfull
from actors.policy.secrets.redaction import redacted

SMALL = Limits(side=100, margin=40, depth=4, leaves=50, total=5_000)
TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


def unredacted(text: str) -> tuple[str, list[str]]:
    return text, []


def test_what_is_short_and_clean_stays_as_it_is() -> None:
    event: Json = {"tool": "Bash", "n": 3, "ok": True, "none": None, "x": [1.5, "a", {}], "e": ""}

    assert cut(event, redacted) == (event, [])


def test_a_long_string_keeps_its_two_ends_and_says_what_is_missing() -> None:
    text = "a" * 100 + "b" * 1000 + "c" * 100

    kept, _ = cut_text(text, unredacted, SMALL)

    assert kept == "a" * 100 + "\n[… 1000 characters left out …]\n" + "c" * 100


def test_a_string_of_exactly_two_sides_is_not_cut() -> None:
    text = "a" * 200

    assert cut_text(text, unredacted, SMALL) == (text, [])


@pytest.mark.parametrize("place", range(55, 110, 3))
def test_a_secret_across_a_cut_does_not_survive_in_part(place: int) -> None:
    body = "word " * 400
    for text in (
        body[:place] + " " + TOKEN + " " + body,
        body + " " + TOKEN + " " + body[:place],
    ):
        kept, kinds = cut_text(text, redacted, SMALL)

        assert not any(TOKEN[at : at + 8] in kept for at in range(len(TOKEN) - 8))
        assert kinds in (["github"], ["token"], [])  # a token that was cut has the form of one


def test_a_private_key_that_never_ends_takes_the_end_of_the_text_with_it() -> None:
    begin = "-----BEGIN RSA " + "PRIVATE KEY-----\n"
    text = "x " * 200 + begin + "short line\n" * 200

    kept, kinds = cut_text(text, redacted, SMALL)

    assert "short line" not in kept
    assert kinds == ["private-key"]


def test_a_private_key_that_ends_in_the_tail_leaves_what_follows_it() -> None:
    begin, end = "-----BEGIN " + "PRIVATE KEY-----\n", "-----END " + "PRIVATE KEY-----\n"
    text = "x " * 200 + begin + "c2hvcnQgbGluZQ==\n" * 40 + end + "after " * 20

    kept, _ = cut_text(text, redacted, SMALL)

    assert "c2hvcn" not in kept
    assert kept.endswith("after " * 15)


def test_a_private_key_that_never_ends_does_so_after_one_that_ends() -> None:
    begin, end = "-----BEGIN " + "PRIVATE KEY-----\n", "-----END " + "PRIVATE KEY-----\n"
    text = "x " * 200 + begin + end + begin + "short line\n" * 200

    assert "short line" not in cut_text(text, redacted, SMALL)[0]


def test_a_value_is_judged_together_with_its_key() -> None:
    event: Json = {
        "password": "hunter2",
        "env": {"API_TOKEN": "abcd1234efgh5678", "HOME": "/home/me"},
        "argv": ["login", "--token", "abcd1234efgh5678", "--verbose"],
        "vars": [{"name": "DB_PASSWORD", "value": 'with "quotes" 1'}, {"name": "A", "value": "b"}],
    }

    cleaned, kinds = cut(event, redacted)

    assert "hunter2" not in str(cleaned)
    assert "abcd1234" not in str(cleaned)
    assert cleaned == {
        "password": "[REDACTED]",
        "env": {"API_TOKEN": "[REDACTED]", "HOME": "/home/me"},
        "argv": ["login", "--token", "[REDACTED]", "--verbose"],
        "vars": [{"name": "DB_PASSWORD", "value": 'with "quotes" 1'}, {"name": "A", "value": "b"}],
    }
    assert kinds == ["password", "token", "token"]


def test_keys_are_redacted_and_stay_apart() -> None:
    event: Json = {"me@corp.io": 1, "you@corp.io": 2}

    assert cut(event, redacted)[0] == {"[REDACTED]": 1, "[REDACTED] (2)": 2}


def test_nul_and_half_surrogates_become_the_replacement_character() -> None:
    event: Json = {"a\x00": "x\ud800y\x00", "b": "\U0001f600"}

    assert cut(event, redacted)[0] == {"a�": "x�y�", "b": "\U0001f600"}


def test_what_is_too_deep_is_left_out() -> None:
    event: Json = "leaf"
    for _ in range(10):
        event = [event]

    cleaned, _ = cut(event, redacted, SMALL)

    assert cleaned == [[[["[… deeper than 4 levels, left out …]"]]]]


def test_what_is_too_wide_is_left_out() -> None:
    numbers: Json = [*range(1000)]
    names: Json = {str(number): number for number in range(1000)}

    cleaned, _ = cut({"n": numbers, "m": names}, redacted, SMALL)

    assert isinstance(cleaned, dict)
    assert cleaned["n"] == [*range(48), "[… 952 more values left out …]"]
    assert cleaned["…"] == "[… 1 more values left out …]"


def test_the_text_kept_of_one_event_is_bounded() -> None:
    texts: list[Json] = ["x" * 150]
    event: Json = texts * 45

    cleaned, _ = cut(event, redacted, SMALL)

    assert isinstance(cleaned, list)
    assert cleaned[33:35] == ["x" * 150, "[… 150 characters left out …]"]


def test_a_huge_string_is_read_only_where_it_is_kept() -> None:
    read: list[int] = []

    def counting(text: str) -> tuple[str, list[str]]:
        read.append(len(text))
        return text, []

    cut("x" * 5_000_000, counting)

    assert sum(read) == 2 * (8 * 1024 + 1024)


JSON_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=400),
    lambda inner: (
        st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=8)
    ),
    max_leaves=40,
)


@given(JSON_VALUES)
def test_what_comes_out_can_be_stored_and_is_small(value: Json) -> None:
    cleaned, _ = cut(value, redacted, SMALL)

    written = json.dumps(cleaned, ensure_ascii=False).encode()
    assert b"\x00" not in written
    assert len(written) < 40_000


@given(st.text(max_size=600), st.text(max_size=600))
def test_a_token_anywhere_in_a_string_never_survives(before: str, after: str) -> None:
    kept, _ = cut_text(f"{before} {TOKEN} {after}", redacted, SMALL)

    assert TOKEN[4:] not in kept


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('a",[{\\\n é')),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.sampled_from('",\\x')), inner),
    max_leaves=30,
)


def marks(value: Json) -> int:
    """Strings, commas and openings of the value as JSON."""
    if isinstance(value, str):
        return 1
    if isinstance(value, list):
        return 1 + max(0, len(value) - 1) + sum(map(marks, value))
    if isinstance(value, dict):
        return 1 + max(0, 2 * len(value) - 1) + sum(map(marks, value.values()))
    return 0


@given(_JSON, st.booleans())
def test_a_json_text_is_overfull_by_what_it_holds_and_not_by_what_its_strings_say(
    value: Json, ascii_only: bool
) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only).encode()

    assert not is_overfull(raw, marks(value))
    assert marks(value) == 0 or is_overfull(raw, marks(value) - 1)


@given(st.text(st.sampled_from('a",[{\\')), st.integers(0, 5))
def test_what_is_no_json_is_overfull_or_not_and_nothing_worse(text: str, most: int) -> None:
    is_overfull(text.encode(), most)


def test_a_long_text_is_not_overfull_whatever_is_in_it() -> None:
    assert not is_overfull(json.dumps({"content": '{"a": [1, 2]},\\\n' * 200_000}).encode())
