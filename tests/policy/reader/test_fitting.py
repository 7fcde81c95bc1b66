"""A digest has room for so much: what is cut, and where it is cut into chunks."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as some

from actors.policy.reader.digest import MOST_TOKENS, Digest, Who, chunks, digest
from tests.costs import ratio
from tests.policy.reader.digests import Session

LONG = "The staging database listens on port 5433 and nowhere else. "
KINDS = some.sampled_from(["prompt", "answer", "failed", "wrote", "edited", "commit", "ls"])
WORDS = some.text(min_size=1, max_size=3_000) | some.integers(1, 400).map(lambda n: LONG * n)


def lived(happened: list[tuple[str, str]]) -> Session:
    session = Session()
    for number, (kind, text) in enumerate(happened):
        match kind:
            case "prompt":
                session.prompt(text)
            case "answer":
                session.answer(text)
            case "failed":
                session.failed(f"make step{number}", text)
            case "wrote":
                session.wrote(f"docs/{number}.md", text)
            case "edited":
                session.edited(f"src/{number}.py", "", f"def f{number}(): ...\n{text}")
            case "commit":
                session.run(f"git commit -m 'Change {number}'", f"[main abcdef1] {text}")
            case _:
                session.run("ls", text)
    return session


def busy(turns: int, answer: str = LONG * 40) -> Session:
    session = Session()
    for number in range(turns):
        session.prompt(f"Look at part {number}, please.")
        session.failed(f"make part{number}", f"part {number}\n{LONG * 20}")
        session.wrote(f"docs/part{number}.md", LONG * 40)
        session.answer(answer)
    return session


def whose(shown: Digest, who: Who) -> list[int]:
    return [len(one.text) for one in shown.shown if one.who is who]


def test_where_there_is_room_answers_stand_whole_and_documents_begin() -> None:
    shown = digest(busy(2).heard)

    assert min(whose(shown, Who.AGENT)) == len((LONG * 40).strip())
    assert max(whose(shown, Who.DOCUMENT)) < len(LONG * 40)


def test_of_a_failure_the_head_and_the_tail_are_shown() -> None:
    session = Session()
    session.failed("make", f"first line\n{LONG * 100}\nlast line")

    text = digest(session.heard).shown[0].text

    assert text.startswith("`make` failed:\n  first line")
    assert "\n  […]\n" in text
    assert text.endswith("last line")


def test_a_long_day_is_cut_and_every_prompt_still_stands() -> None:
    shown = digest(busy(300).heard)

    assert shown.tokens <= MOST_TOKENS
    assert len(whose(shown, Who.TYPED)) == 300


def test_what_a_captured_turn_said_is_cut_last() -> None:
    session = busy(300)
    seq = session.turn("No, not like that. Use the queue.", LONG * 60)
    busy_after = busy(100)
    heard = [*session.heard, *(
        type(one)(one.seq + session.heard[-1].seq, one.at, one.event) for one in busy_after.heard
    )]  # fmt: skip

    shown = digest(heard, captured=[seq])

    assert shown.tokens <= MOST_TOKENS
    assert [len(one.text) for one in shown.shown if one.captured] == [
        len("No, not like that. Use the queue."),
        len((LONG * 60).strip()),
    ]


def test_of_thousands_of_prompts_the_newest_stand() -> None:
    session = Session()
    for number in range(5_000):
        session.turn(f"{number}: {LONG}", "Done.")

    shown = digest(session.heard)

    assert shown.tokens <= MOST_TOKENS
    assert shown.shown[-1].seq >= session.heard[-2].seq
    assert shown.last_seq == session.heard[-1].seq


def test_chunks_end_between_turns() -> None:
    parts = chunks(digest(busy(30).heard), 6_000)

    turns = [{one.turn for one in part.shown} for part in parts]
    assert len(parts) > 1
    assert not any(one & other for one, other in itertools.pairwise(turns))


def test_a_turn_longer_than_a_chunk_is_cut_between_texts() -> None:
    session = Session()
    session.prompt("Do it all.")
    for number in range(40):
        session.failed(f"make part{number}", f"part {number}\n{LONG * 20}")

    parts = chunks(digest(session.heard), 1_000)

    assert all(part.tokens <= 1_000 for part in parts)
    assert sum(len(part.shown) for part in parts) == 41


@given(some.lists(some.tuples(KINDS, WORDS), max_size=25), some.integers(200, 3_000))
def test_whatever_is_said_every_text_stands_in_a_digest_of_that_size(
    happened: list[tuple[str, str]], most: int
) -> None:
    shown = digest(lived(happened).heard, most_tokens=most)

    assert shown.tokens <= most
    assert all(one.text in shown.text for one in shown.shown)
    assert [one.number for one in shown.shown] == list(range(1, len(shown.shown) + 1))
    assert [one.seq for one in shown.shown] == sorted(one.seq for one in shown.shown)


@given(some.lists(some.tuples(KINDS, WORDS), max_size=25), some.integers(200, 3_000))
def test_whatever_is_cut_chunks_are_of_that_size_and_read_every_event_once(
    happened: list[tuple[str, str]], most: int
) -> None:
    shown = digest(lived(happened).heard)

    parts = chunks(shown, most)

    assert all(part.tokens <= most for part in parts)
    ends = [(part.first_seq, part.last_seq) for part in parts]
    assert all(end[1] + 1 == begin[0] for end, begin in itertools.pairwise(ends))
    if parts:
        assert (ends[0][0], ends[-1][1]) == (shown.first_seq, shown.last_seq)
        assert all(
            part.first_seq <= one.seq <= part.last_seq for part in parts for one in part.shown
        )


@pytest.mark.parametrize(
    "text", [LONG * 250, "a\n" * 8_000, "<reverie-notes>\n" * 900, "`" * 15_000]
)
def test_a_digest_costs_as_much_as_there_is_to_read(text: str) -> None:
    few, many = busy(4, answer=text).heard, busy(32, answer=text).heard

    assert ratio(lambda: digest(many), lambda: digest(few), 16.0, least=1e-3) < 16.0
