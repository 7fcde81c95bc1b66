"""What an agent supposes, and what comes of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.trail import SessionTrail, followed
from actors.policy.statements.candidates import Candidate, Origin
from actors.policy.statements.claims import Outcome, Status
from actors.policy.statements.hypotheses import (
    FRESH,
    SUPPOSITIONS,
    Evidence,
    Open,
    evidence,
    judged,
    names,
    status_of,
    suppositions,
)

NOW = 1_800_000_000.0
GUESS = "The failure is probably caused by the stale TTL in src/cache.py."


def prompt(text: str) -> Event:
    return Event("claude", EventKind.PROMPT, "s1", prompt=text)


def ran(command: str, output: str, *, failed: bool = False) -> Event:
    kind = EventKind.TOOL_ERROR if failed else EventKind.TOOL
    tool = Tool("Bash", {"command": command}, output=output, error=output if failed else "")
    return Event("claude", kind, "s1", tool=tool)


def edited(path: str, code: str = "x = 1") -> Event:
    tool = Tool("Edit", {"file_path": path, "new_string": code})
    return Event("claude", EventKind.TOOL, "s1", tool=tool)


def trail(*events: Event) -> SessionTrail:
    found = SessionTrail()
    for event in events:
        found = followed(found, event)
    return found


RED = ran("pytest tests/test_shop.py", "FAILED tests/test_shop.py - 1 failed", failed=True)
GREEN = ran("pytest tests/test_shop.py", "4 passed")


@pytest.mark.parametrize(
    "text",
    [
        GUESS,
        "I suspect a race in the Redis client: the suite fails because two workers share it.",
        "All done so far. The bug is likely in `parse_header` of http/parser.py.",
    ],
)
def test_a_supposed_cause_that_names_something_is_a_supposition(text: str) -> None:
    (draft,) = suppositions(text)

    assert draft.origin is Origin.AGENT
    assert draft.importance < 0.6


@pytest.mark.parametrize(
    "text",
    [
        "The root cause might be a missing await.",  # names nothing
        "We should probably fail the build because src/a.py is long.",  # a plan
        "Is the bug perhaps in src/a.py because of the cache?",  # a question
        "If the bug is perhaps in src/a.py, the cache breaks.",
        "It is probably the cache in src/a.py that fails.",  # it?
        "The root cause was the stale TTL in src/cache.py.",  # states
        "The parser in src/parse.py is probably elegant.",  # no cause
        "<summary>The failure is probably caused by src/cache.py.</summary>",
        "Maybe the bug is in src/a.py because of the cache.",
        "The bug is probably a lock that two of the workers, when they start, take on src/a.py.",
    ],
)
def test_what_names_nothing_asks_plans_or_states_is_none(text: str) -> None:
    assert suppositions(text) == []


def test_one_message_supposes_little() -> None:
    assert len(suppositions(" ".join([GUESS] * 9))) == SUPPOSITIONS


@pytest.mark.parametrize(
    ("rule", "origin", "text", "expected"),
    [
        ("supposition", Origin.AGENT, GUESS, Status.HYPOTHESIS),
        ("conclusion", Origin.AGENT, "The bug was apparently the cache.", Status.HYPOTHESIS),
        ("conclusion", Origin.AGENT, "The bug was the cache.", Status.CONFIRMED),
        ("session-summary", Origin.AGENT, GUESS, Status.CONFIRMED),
        ("remember", Origin.USER, GUESS, Status.CONFIRMED),
    ],
)
def test_only_the_agents_own_hedged_words_are_hypotheses(
    rule: str, origin: Origin, text: str, expected: Status
) -> None:
    made = Candidate(rule, text, "discovery", "declarative", 0.5, origin=origin, title="t")

    assert status_of(made) is expected


@pytest.mark.parametrize(
    "said",
    [
        "No, actually src/cache.py is fine.",
        "no, it's src/pool.py, not src/cache.py",
        "That's wrong, it has nothing to do with src/cache.py",
    ],
)
def test_a_correction_denies_what_its_clauses_deny(said: str) -> None:
    told = evidence(SessionTrail(), prompt(said))

    assert told is not None
    assert told.denied == {"src/cache.py", "cache.py"}
    assert told.held == frozenset()


@pytest.mark.parametrize(
    "said",
    [
        "No, it's src/cache.py",  # affirms
        "No it is in src/cache.py",
        "Actually, also check src/cache.py",  # denies nothing
        "please do not touch src/cache.py",  # corrects nothing
        "No, src/cache.py is not it, I mean src/cache.py is it",  # both
        "thanks, that works",
    ],
)
def test_whatever_is_not_plainly_denied_is_no_evidence(said: str) -> None:
    assert evidence(SessionTrail(), prompt(said)) is None


def test_what_was_changed_before_it_works_again_is_evidence() -> None:
    before = trail(RED, edited("/p/src/cache.py", "def expire(): ..."))
    told = evidence(before, GREEN)

    assert told is not None
    assert {"cache.py", "expire"} <= told.held
    assert told.denied == frozenset()


def test_without_a_change_or_with_a_change_of_the_test_alone_there_is_none() -> None:
    assert evidence(trail(RED), GREEN) is None
    assert evidence(trail(RED, edited("tests/test_shop.py")), GREEN) is None
    assert evidence(trail(edited("src/cache.py")), GREEN) is None


HELD = Evidence(held=frozenset({"/p/src/cache.py", "cache.py", "expire"}), reason="works")
DENIED = Evidence(denied=frozenset({"src/cache.py", "cache.py"}), reason="no")
CACHE, POOL = Open(1, GUESS, NOW - 60), Open(2, "Probably the pool in src/pool.py.", NOW - 60)


def test_the_only_guess_that_names_what_was_changed_held() -> None:
    (found,) = judged([CACHE, POOL], HELD, NOW)

    assert (found.memory_id, found.outcome, found.reason) == (1, Outcome.HELD, "works")


def test_of_two_guesses_about_one_file_neither_held() -> None:
    assert judged([CACHE, Open(3, "Perhaps the lock in cache.py.", NOW - 60)], HELD, NOW) == []


def test_the_guess_that_names_more_of_the_change_held() -> None:
    more = Open(3, "Perhaps `expire` in cache.py drops it.", NOW - 60)

    assert [one.memory_id for one in judged([CACHE, more], HELD, NOW)] == [3]


def test_what_is_denied_failed() -> None:
    assert [(one.memory_id, one.outcome) for one in judged([CACHE, POOL], DENIED, NOW)] == [
        (1, Outcome.FAILED)
    ]


def test_a_guess_that_is_denied_and_held_at_once_is_denied() -> None:
    both = Evidence(HELD.held, DENIED.denied, "both")

    assert [one.outcome for one in judged([CACHE], both, NOW)] == [Outcome.FAILED]


@pytest.mark.parametrize("at", [NOW, NOW + 1, NOW - FRESH - 1])
def test_a_guess_of_later_or_long_before_is_left_open(at: float) -> None:
    old = Open(1, GUESS, at)

    assert judged([old], HELD, NOW) == []
    assert judged([old], DENIED, NOW) == []


def test_names_are_paths_identifiers_numbers_and_tools() -> None:
    assert names("The Redis client in `src/Pool.py` waits 30 s for parse_header.") == {
        "redis",
        "src/pool.py",
        "pool.py",
        "30",
        "parse_header",
    }


_WORDS = ("no,", "not", "src/a.py", "src/b.py", "is fine", "it's", "but", "and", "wrong.", "5432")


@given(st.lists(st.sampled_from(_WORDS)))
def test_evidence_names_nothing_that_nobody_said(words: list[str]) -> None:
    said = " ".join(words)
    told = evidence(SessionTrail(), prompt(said))

    assert told is None or (told.denied and told.denied <= names(said))


@given(st.lists(st.sampled_from([CACHE, POOL]), unique=True))
def test_an_outcome_decides_each_guess_at_most_once(waiting: list[Open]) -> None:
    found = judged(waiting, Evidence(HELD.held, DENIED.denied, "both"), NOW)

    assert len({one.memory_id for one in found}) == len(found)
