"""Notes of a model about the sample session, judged without a judge."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from actors.policy.reader.exchange import FACTS, Fitness, fitness, sample

GOOD = (
    ("A failed payment is tried three times: Paywell locks the account at the fourth.", "three. paywell locks the guest's account at the fourth"),
    ("Bookings reach the mail service through an outbox table, not Kafka, which nobody here runs.", "nobody here runs kafka and we won't start now"),
    ("Never migrate at startup: two pods did that at once in June; `make migrate` in the pipeline does it.", "never migrate on startup, two pods did that at once"),
    ("The staging database listens on 5433 and is reached through harbour-tunnel only.", "staging is on 5433 and only through harbour-tunnel"),
    ("Run the tests as `TZ=UTC pytest -q`: test_invoices fails in any other zone.", "All green with `TZ=UTC pytest -q`."),
    ("502s at deploys: gunicorn's keep_alive of 2 s was shorter than the balancer's 60 s; keepalive = 75.", "longer than the balancer's 60 s"),
    ("Screens and mails say guests, never customers.", "in the UI it's guests, please"),
    ("Branches start from develop and not from main.", "we branch from develop, not from main"),
    ("Production runs Postgres 14.9, which has no MERGE; use INSERT ... ON CONFLICT.", "run Postgres 14.9, which has no MERGE"),
    ("Guests are really deleted, not softly with deleted_at, and a line goes into erasure_log.", "really delete them and write one line into erasure_log"),
    ("The export moves to the worker after the release (HB-212).", "after the release, put it into HB-212"),
    ("Build the image with --platform linux/amd64: libvips 8.15 is broken on arm64.", "The image builds with `--platform linux/amd64`"),
)  # fmt: skip


def answered(*notes: tuple[str, str]) -> Fitness:
    document = {"notes": [{"title": "", "text": text, "quote": quote} for text, quote in notes]}
    return fitness(document, sample())


def test_a_good_reader_finds_all_twelve_and_invents_nothing() -> None:
    found = answered(*GOOD)

    assert (found.facts, found.missed) == (tuple(fact.name for fact in FACTS), ())
    assert (found.notes, found.invented, found.false_quotations) == (12, 0, 0)
    assert found.is_fit


@pytest.mark.parametrize("place", range(len(GOOD)))
def test_each_fact_is_told_by_its_own_note_alone(place: int) -> None:
    assert answered(GOOD[place]).facts == (FACTS[place].name,)


def test_five_of_twelve_are_too_few() -> None:
    assert not answered(*GOOD[:5]).is_fit
    assert answered(*GOOD[:6]).is_fit


@pytest.mark.parametrize(
    "text",
    [
        "The price list is cached in Redis.",
        "Always run quickstart.sh with --no-verify before each commit.",
        "Guests are deleted softly by the column deleted_at.",
        "The staging database listens on port 6543.",
        "Payments are tested in tests/test_gateway.py.",
        "The quick brown fox jumps over a lazy dog near the river bank.",
    ],
)
def test_what_was_turned_down_or_never_said_is_invented(text: str) -> None:
    assert answered((text, "three")).invented == 1


def test_two_inventions_are_too_many() -> None:
    made_up = ("The price list is cached in Redis.", "I could put it into Redis.")

    assert answered(*GOOD, made_up).is_fit
    assert not answered(*GOOD, made_up, made_up).is_fit


def test_a_quotation_that_stands_in_no_text_is_false() -> None:
    found = answered(
        (GOOD[0][0], "three. Paywell LOCKS the guest's\naccount"),
        (GOOD[1][0], "nobody here runs kafka [4] agent: wanted"),
        (GOOD[2][0], ""),
    )

    assert found.false_quotations == 2


@given(
    some.recursive(
        some.none() | some.booleans() | some.integers() | some.text(max_size=20),
        lambda inner: (
            some.lists(inner, max_size=3)
            | some.dictionaries(some.sampled_from(["notes", "title", "text", "quote"]), inner)
        ),
        max_leaves=12,
    )
)
def test_whatever_was_answered_it_can_be_judged(notes: Any) -> None:
    found = fitness({"notes": notes}, sample())

    assert len(found.facts) + len(found.missed) == len(FACTS)
    assert found.invented <= found.notes
