"""What a dream goes through and what keeps coming up in it."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.night import replay
from actors.policy.night.replay import Pattern, Replayed
from tests.policy.dreams import at_once


def note(memory_id: int, text: str, at: float | None = None) -> Replayed:
    return replay.replayed(memory_id, float(memory_id) if at is None else at, text)


def test_a_memory_is_about_its_names_and_telling_words() -> None:
    found = note(1, "The deploy failed on account of DATABASE_URL in src/app.py")

    assert found.concepts == {"deploi", "account", "database_url", "src/app.py"}


def test_words_that_mean_the_same_are_one_concept() -> None:
    one, other = note(1, "repaired the database"), note(2, "the postgres databases hang")

    assert one.concepts & other.concepts == {"databas"}
    assert note(3, "psql").words != note(4, "Postgres").words == note(5, "PostgreSQL").words


def test_the_latest_hundred_are_replayed_in_order_of_time() -> None:
    memories = [note(number, "x", at=-number) for number in range(150)]

    assert [one.id for one in replay.sequence(memories)] == list(range(99, -1, -1))


def test_what_three_memories_are_about_is_a_pattern() -> None:
    memories = [
        note(1, "kafka lag"),
        note(2, "kafka topics"),
        note(3, "kafka keys"),
        note(4, "tea"),
    ]

    assert replay.patterns(memories) == [Pattern("kafka", (1, 2, 3), 0.75)]
    assert replay.patterns(memories[1:]) == []


def test_what_too_many_share_tells_nothing() -> None:
    memories = [note(number, f"kafka thing{number}x") for number in range(13)]

    assert all("kafka" not in one.concepts for one in at_once.told_apart(memories))
    assert all("kafka" in one.concepts for one in at_once.told_apart(memories[:12]))


def test_the_words_of_a_form_tell_nothing() -> None:
    people = ("Ann", "Bob", "Cem", "Dora", "Eve", "Finn")
    memories = [note(at, f"The room of {who} was booked by the guest") for at, who in
                enumerate(people)]  # fmt: skip
    found = at_once.told_apart(memories)

    assert all(len(one.concepts) == 1 for one in found)
    assert len({name for one in found for name in one.concepts}) == 6
    assert all(one.is_entry for one in found)


def test_a_concept_is_named_as_it_is_written_most() -> None:
    memories = [note(1, "Deploys hang"), note(2, "the deploy hangs"), note(3, "a deploy")]

    assert replay.spelled("deploi", memories) == "deploy"
    assert replay.spelled("nowhere", memories) == "nowhere"


def test_identifiers_lead_what_is_shared() -> None:
    memories = [note(1, "cache of get_user"), note(2, "get_user has a cache")]

    assert replay.shared(memories) == ("get_user", "cach")
    assert replay.shared([replace(memories[0], concepts=frozenset())]) == ()


@given(st.text(max_size=300), st.integers(), st.floats(-1e9, 1e9))
def test_any_text_is_replayed_and_concepts_are_among_its_words(
    text: str, memory_id: int, at: float
) -> None:
    found = replay.replayed(memory_id, at, text)

    assert found.concepts <= found.words
    assert at_once.told_apart([found])[0].concepts <= found.concepts
