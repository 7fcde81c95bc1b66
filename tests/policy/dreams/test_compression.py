"""Summing up old memories in their own sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import compression, replay
from actors.policy.dreams.replay import Replayed
from tests.policy.dreams import at_once

NOW = 1_800_000_000.0
DAY = 86_400.0
TEXT = "The nightly backup of the ledger is written to bucket archive-eu by the cron job."


def note(memory_id: int, days: float = 90, text: str = TEXT, uses: int = 0) -> Replayed:
    return replay.replayed(memory_id, NOW - days * DAY, text, "", "episodic", "/p", uses)


def near(ids: range, alike: float = 0.8) -> dict[int, list[tuple[int, float]]]:
    return {one: [(other, alike) for other in ids if other != one] for one in ids}


def test_what_is_older_than_sixty_days_and_hardly_used_is_a_candidate() -> None:
    memories = [note(1, 61), note(2, 59), note(3, 61, uses=3), note(4, 61, uses=2)]

    assert [one.id for one in compression.candidates(memories, NOW)] == [1, 4]


@pytest.mark.parametrize(
    ("count", "alike", "days", "sizes"),
    [(3, 0.6, 30, [3]), (2, 0.9, 90, []), (3, 0.59, 90, []), (3, 0.9, 29, []), (60, 0.9, 90, [50, 10])],
)  # fmt: skip
def test_a_group_has_three_to_fifty_old_memories_that_are_alike(
    count: int, alike: float, days: float, sizes: list[int]
) -> None:
    ids = range(count)
    found = at_once.groups([note(one, days) for one in ids], near(ids, alike), NOW)

    assert [len(group) for group in found] == sizes


def test_a_memory_gives_at_most_three_facts_scored_over_three_tenths() -> None:
    told = " ".join(f"The ledger backup of shard{n} runs nightly in archive." for n in range(9))
    one = note(1, text=told)
    found = compression.facts(one, compression.weights([one]))

    assert len(found) == 3
    assert all(fact.score > 0.3 and fact.text in told for fact in found)
    assert compression.facts(one, {}) == []


def test_a_proposal_sums_up_in_sentences_of_the_memories_and_keeps_them() -> None:
    others = (
        "The nightly backup of the ledger goes to bucket archive-eu.",
        "Nightly the cron job writes the ledger backup into archive-eu.",
        "Ledger backup: nightly, bucket archive-eu, by the cron job.",
    )
    memories = [note(1), *[note(n, text=text) for n, text in enumerate(others, 2)]]
    (found,) = at_once.proposals(memories, near(range(1, 5)), NOW)

    assert found.act == "compress"
    assert found.memory_ids == (1, 2, 3, 4)
    assert found.text in (TEXT, *others)
    assert found.share >= 0.7
    assert len(found.text) <= 0.3 * sum(len(one.text) for one in memories)


def test_a_summary_that_would_lose_too_much_is_not_proposed() -> None:
    topics = ("ledger tax audit", "ledger sprint retro", "tax sprint lunch", "audit retro lunch")
    memories = [note(n, text=f"Notes: {text}.") for n, text in enumerate(topics)]

    assert at_once.proposals(memories, near(range(4)), NOW) == []


@given(st.lists(st.text(max_size=80), min_size=3, max_size=12))
def test_a_summary_is_made_of_sentences_as_they_stand_and_is_short(texts: list[str]) -> None:
    memories = [note(n, text=text) for n, text in enumerate(texts)]
    summed = compression.summary(memories)

    assert len(summed) <= 0.3 * sum(map(len, texts)) + len(texts)
    assert 0 <= compression.fidelity(summed, memories) <= 1


def test_of_one_run_so_many_summaries_are_proposed_as_a_person_reads() -> None:
    memories = [
        note(
            10 * group + n,
            text=f"The group{group} disk was full. The group{group} disk was full again {n}.",
        )
        for group in range(3)
        for n in range(4)
    ]
    close = {
        10 * group + n: [(10 * group + other, 0.9) for other in range(4) if other != n]
        for group in range(3)
        for n in range(4)
    }
    few = at_once.proposals(memories, close, NOW, most=2)

    assert len(at_once.proposals(memories, close, NOW)) == 3
    assert len(few) == 2
