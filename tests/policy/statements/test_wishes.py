"""Wishes: what is to hold is told from the next move of the task by the form of the sentence."""

import pytest

from actors.policy.statements.statements import LONG, softened, wished


@pytest.mark.parametrize(
    "line",
    [
        "we should only have one cache",
        "in quiet mode, we should print errors only",
        "we don't need both parsers for the same format",
        "not as a table, but as a list under the summary",
        "keep our design notes in the wiki",
        "reports go through the queue, like we do for invoices",
        "each importer should have its own fixtures",
        "shorten the README since we only want the install steps in it",
        "I don't want the retries mixed into the client",
        "prefer small modules over flags in the runner",
        "the fallback of the resolver is intentional for old clients",
        "using pnpm for all packages instead of npm",
    ],
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
