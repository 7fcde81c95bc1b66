"""Wishes: what is to hold is told from the next move of the task by the form of the sentence."""

import pytest

from actors.policy.statements.statements import LONG, softened, wished
from tests.tables import rows


@pytest.mark.parametrize(
    "line",
    rows(__file__, "what_is_to_hold_is_a_wish"),
)
def test_what_is_to_hold_is_a_wish(line: str) -> None:
    assert wished(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "",
        "we need to fix the importer",
        "let's commit this and move on",
        "we should push the branch for the review",
        "I want a parser that reads dates",
        "use the second helper of the module",
        "we don't need it yet",
        "should we only have one cache?",
        "can we stick to small modules in our parser?",
        "don't put the retries into the client, since it is shared",
        "never touch the seeds of the importer, they are shared",
        "it should never wait for the network",
        "we should never have bought that printer",
        "we need some more logging in the pull API",
        "we shouldn't just assume it's there for every user",
        "of them we only want two",
        "using mask in images python",
        "using string to generate datetime date in python",
        f"we should only have {'one ' * LONG}cache",
    ],
)
def test_the_next_move_of_the_task_is_none(line: str) -> None:
    assert wished(line) is None


def test_words_that_only_soften_are_left_out() -> None:
    assert (
        softened("yeah, I think we should only have one cache") == "we should only have one cache"
    )
    assert softened("thinking of it") == "thinking of it"


def test_of_two_clauses_the_one_that_wants_is_the_wish() -> None:
    said = "I am not sure that it is official, we should follow the version that the vendor supports for years"

    assert wished(said) == "we should follow the version that the vendor supports for years"
