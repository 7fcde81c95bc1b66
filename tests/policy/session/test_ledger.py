"""The ledger of what a session has in its context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session import ledger
from actors.policy.session.ledger import (
    FADED,
    HOT,
    LASTING,
    LASTS,
    LISTED,
    MOST,
    READ,
    WHOLE,
    Context,
    Ledger,
    Loaded,
    Made,
    Settings,
    Tier,
    attended,
    attention,
    sayings,
    stands_in,
)

A, B = b"a", b"b"
ELSEWHERE_TOLD = Made(A, "s2", 50.0, None, "")
ELSEWHERE = Made(B, "s2", 50.0, None, "")  # by another session, of no document


def has(context: Context, made: Made) -> bool:
    return ledger.has(context, "s1", made)


def prompted(known: Ledger, *times: float) -> Ledger:
    for at in times:
        known = ledger.prompted(known, at)
    return known


def test_what_was_delivered_is_in_the_context_for_a_month() -> None:
    told = ledger.entered(Ledger(), [A], 0.0)

    assert ledger.context(told, LASTS).told == {A}
    assert ledger.context(told, LASTS + 1).told == set()


def test_a_delivery_is_counted_from_its_latest_time() -> None:
    told = ledger.entered(ledger.entered(Ledger(), [A], 0.0), [A], 1000.0)

    assert ledger.context(told, LASTS + 900).told == {A}


@pytest.mark.parametrize(("anchor", "lasts"), [(WHOLE, 18), (LISTED, 12)])
def test_what_faded_out_of_attention_may_be_told_again(anchor: float, lasts: int) -> None:
    told = ledger.entered(Ledger(), [A], 0.0, anchor)
    attending = prompted(told, *range(1, lasts + 1))

    assert ledger.context(attending, 99.0).told == {A}
    assert ledger.context(prompted(attending, lasts + 1), 99.0).told == set()


def test_what_only_a_start_told_is_told_once_more_at_its_moment() -> None:
    told = ledger.entered(Ledger(), [A], 0.0, LISTED)
    again = ledger.entered(told, [A], 1.0)

    assert has(ledger.context(told, 1.0), ELSEWHERE_TOLD)
    assert not ledger.has(ledger.context(told, 1.0), "s1", ELSEWHERE_TOLD, at_its_moment=True)
    assert ledger.has(ledger.context(again, 2.0), "s1", ELSEWHERE_TOLD, at_its_moment=True)


def test_what_was_made_or_read_fades_as_what_was_told() -> None:
    known = ledger.read(prompted(Ledger(), *range(20)), "docs/a.md", 0.0)
    now = ledger.context(known, 99.0)

    assert now.since == 1.0
    assert has(now, Made(A, "s1", 1.0, None, ""))
    assert not has(now, Made(A, "s1", 0.9, None, ""))
    assert now.read == {}


def test_what_is_told_again_keeps_the_greater_attention() -> None:
    told = ledger.entered(Ledger(), [A], 0.0, WHOLE)
    again = ledger.entered(prompted(told, 1.0), [A], 2.0, LISTED)

    assert ledger.attention_to_told(again) == {A: 0.85}


def test_a_prompt_that_is_told_late_or_twice_counts_once_in_its_place() -> None:
    assert prompted(Ledger(), 1.0, 3.0, 2.0, 3.0).prompts == (1.0, 2.0, 3.0)


def test_a_compaction_leaves_what_was_told_in_attention_and_a_new_beginning_does_not() -> None:
    told = ledger.entered(Ledger(), [A], 10.0)

    assert ledger.attention_to_told(ledger.compacted(told, 20.0)) == {A: WHOLE}
    assert ledger.context(ledger.compacted(told, 20.0), 21.0).told == set()
    assert ledger.attention_to_told(ledger.cleared(told, 20.0)) == {}


def test_a_session_has_what_it_made_since_its_context_was_emptied() -> None:
    now = ledger.context(ledger.compacted(Ledger(), 100.0), 200.0)

    assert has(now, Made(A, "s1", 100.0, None, ""))
    assert not has(now, Made(A, "s1", 99.0, None, ""))


@pytest.mark.parametrize("session", ["s2", None])
def test_a_session_has_not_what_others_made(session: str | None) -> None:
    assert not has(Context(0.0), Made(A, session, 50.0, None, ""))


def test_a_session_has_what_it_was_told_whoever_made_it() -> None:
    told = ledger.context(ledger.entered(Ledger(), [B], 60.0), 70.0)

    assert has(told, ELSEWHERE)


def test_a_session_has_what_a_document_said_when_it_was_read() -> None:
    known = ledger.context(ledger.read(Ledger(), "docs/a.md", 60.0), 90.0)

    assert has(known, Made(A, "s2", 60.0, "docs/a.md", ""))
    assert not has(known, Made(A, "s2", 61.0, "docs/a.md", ""))
    assert not has(known, Made(A, "s2", 50.0, "docs/b.md", ""))


def test_an_emptied_context_keeps_what_came_in_after_it() -> None:
    before = ledger.read(ledger.entered(Ledger(), [A], 10.0), "a.md", 10.0)
    after = ledger.read(ledger.entered(before, [B], 30.0), "b.md", 30.0)

    assert ledger.context(ledger.compacted(after, 20.0), 40.0) == Context(
        20.0, frozenset({B}), {"b.md": 30.0}
    )


@pytest.mark.parametrize(("at", "lasting", "kept"), [(10, True, 1), (10, False, 0), (20, False, 1)])
def test_an_emptied_context_keeps_instructions_that_last_or_came_after_it(
    at: float, lasting: bool, kept: int
) -> None:
    there = ledger.loaded(Ledger(), "CLAUDE.md", Loaded(at, lasting, frozenset()))

    assert len(ledger.compacted(there, 20.0).loaded) == kept


def test_an_emptying_that_is_told_late_takes_nothing_back() -> None:
    assert ledger.compacted(ledger.compacted(Ledger(), 20.0), 10.0).emptied == 20.0


@given(st.lists(st.binary(min_size=1, max_size=2), max_size=MOST + 20))
def test_the_ledger_is_bounded(contents: list[bytes]) -> None:
    filled = Ledger()
    for at, content in enumerate(contents):
        filled = ledger.entered(filled, [content], float(at))
        filled = ledger.read(filled, content.hex(), float(at))

    assert max(len(filled.told), len(filled.read)) <= MOST
    assert not contents or contents[-1] in filled.told
    assert not contents or contents[-1].hex() in filled.read


# ---- attention: it fades by prompts, and there is room for few


@pytest.mark.parametrize(
    ("anchor", "border", "prompts"), [(WHOLE, HOT, 5), (WHOLE, FADED, 19), (LISTED, FADED, 13)]
)
def test_it_passes_each_border_after_so_many_prompts(
    anchor: float, border: float, prompts: int
) -> None:
    assert attention(anchor, prompts - 1) >= border > attention(anchor, prompts)


def test_the_most_attended_are_hot_and_the_next_are_warm() -> None:
    found = attended({1: 0.5, 2: 0.4, 3: 0.9, 4: 0.04})

    assert [(note, one.tier) for note, one in found.items()] == [
        (3, Tier.HOT),
        (1, Tier.HOT),
        (2, Tier.WARM),
    ]


def test_of_equals_the_newer_comes_first() -> None:
    assert list(attended({1: 1.0, 3: 1.0, 2: 1.0}, Settings(hot=1, warm=1))) == [3, 2]


@given(st.dictionaries(st.integers(1, 60), st.floats(0, 1)), st.integers(1, 6), st.integers(1, 12))
def test_there_is_never_more_than_there_is_room_for(
    notes: dict[int, float], hot: int, warm: int
) -> None:
    found = attended(notes, Settings(hot, warm))
    tiers = [one.tier for one in found.values()]

    assert tiers.count(Tier.HOT) <= hot
    assert tiers.count(Tier.WARM) <= warm
    assert all(one.attention >= FADED for one in found.values())
    left_out = [much for note, much in notes.items() if note not in found and much >= FADED]
    assert not left_out or max(left_out) <= min(one.attention for one in found.values())


# ---- instructions that a client loads, and notes that say no more than they do


RULES = """# Rules

- Never push to main; open a pull request.
- The staging database listens on port 5433.
- **Tests** run with `make check`, never with pytest alone.
"""


@pytest.mark.parametrize(
    "note",
    [
        "never push to main",
        "The staging database listens on port 5433.",
        "Staging database: port 5433",
        "We should never push to main. Staging listens on port 5433.",
        "tests never run with pytest alone",
    ],
)
def test_a_note_that_says_no_more_stands_there(note: str) -> None:
    assert stands_in(note, [sayings(RULES)])


@pytest.mark.parametrize(
    "note",
    [
        "push to main",
        "never push to the release branch",
        "The staging database listens on port 5434.",
        "The production database listens on port 5433.",
        "Never push to main. The deploy runs at night.",
        "Yes.",
        "",
    ],
)
def test_a_note_that_says_more_or_otherwise_does_not(note: str) -> None:
    assert not stands_in(note, [sayings(RULES)])


def test_a_note_of_words_from_several_sentences_does_not() -> None:
    assert not stands_in("tests listen on port 5433", [sayings(RULES)])


def test_no_more_is_read_than_a_client_would_load() -> None:
    assert not stands_in("never push to main", [sayings("x. " * READ + RULES)])


def test_each_sentence_of_a_note_may_stand_in_another_file() -> None:
    other = sayings("The deploy runs at night.")

    assert stands_in("Never push to main. The deploy runs at night.", [sayings(RULES), other])
    assert not stands_in("Never push to main.", [])


@pytest.mark.parametrize(
    ("reason", "lasting"),
    [("session_start", True), ("compact", True), ("nested_traversal", False), ("", False)],
)
def test_the_client_brings_back_what_it_loads_by_itself(reason: str, lasting: bool) -> None:
    assert (reason in LASTING) is lasting
