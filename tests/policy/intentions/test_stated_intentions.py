"""Intentions that a prompt states, and the many prompts that state none."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from actors.policy.night.intentions import Trigger, stated
from actors.policy.text.turn import Turn
from tests.costs import ratio

NOW = datetime(2026, 11, 22, 10, tzinfo=UTC).timestamp()  # a Sunday


def at(day: int, hour: int, minute: int = 0) -> Trigger:
    return {"at": datetime(2026, 11, day, hour, minute, tzinfo=UTC).timestamp()}


@pytest.mark.parametrize(
    ("prompt", "text", "trigger"),
    [
        (
            "remind me to update the changelog when I touch src/auth/login.py",
            "update the changelog",
            {"file": "src/auth/login.py"},
        ),
        (
            "Fix the bug. Please remind me to add a test when I open auth.py again.",
            "add a test",
            {"file": "auth.py"},
        ),
        ("remind me to lint once we edit anything in src/ui/", "lint", {"file": "src/ui/**"}),
        (
            "when we work on the billing module, remind me to fix the rounding",
            "fix the rounding",
            {"file": "*billing*{,/**}"},
        ),
        (
            "next time we deploy, check the staging logs",
            "check the staging logs",
            {"words": "deploy"},
        ),
        (
            "The next time I deploy, please remember to purge the cache!",
            "purge the cache",
            {"words": "deploy"},
        ),
        (
            "remind me to bump the version before we release",
            "bump the version",
            {"words": "release"},
        ),
        (
            "don't let me forget to drop the column next time we run the migrations",
            "drop the column",
            {"words": "run migrations"},
        ),
        ("tomorrow remind me to renew the certificate", "renew the certificate", at(23, 9)),
        ("Please remind me tomorrow at 9 to rotate the keys.", "rotate the keys", at(23, 9)),
        ("remind me to call Bob in 2 hours", "call Bob", at(22, 12)),
        ("remind me in 30 minutes to check CI", "check CI", at(22, 10, 30)),
        ("can you remind me to rebase on friday?", "rebase", at(27, 9)),
        ("remind me at 15:00 about the review", "the review", at(22, 15)),
    ],
)
def test_what_a_prompt_asks_to_be_reminded_of(prompt: str, text: str, trigger: Trigger) -> None:
    found = stated(Turn(prompt), NOW)

    assert found is not None
    assert (found.text, found.trigger) == (text, trigger)


EVERYDAY = [
    "remind me what this function does",
    "remind me how the cache is invalidated when I touch a user",
    "can you remind me why we pinned numpy?",
    "remind me of the command to run the tests",
    "don't remind me to run the tests when I edit auth.py",
    "you reminded me to update the changelog when I touched auth.py",
    "next time you touch auth.py, ask me first",
    "the next time we call it the cache is warm",
    "next time, check the types before you commit",
    "when I touch auth.py the tests fail",
    "remember to run the tests when you are done",
    "remember that the staging port is 5433",
    "please add a reminder feature to the calendar app",
    "write a function remind_me(when, text) that schedules a job",
    "the bot should remind me to stand up every hour",
    "add the sentence 'remind me to water the plants tomorrow' to the fixture",
    "what does 'remind me to X when I Y' parse to?",
    "if we deploy tomorrow, what breaks?",
    "tomorrow we release, so fix this today",
    "in 2 hours the token expires",
    "every monday the cron job fails",
    "implement snooze: remind me in 10 minutes",
    "rename remindMe to notifyUser everywhere",
    "remind the user to save when they close the tab",
    "the UI says: remind me later",
    "it reminds me of the bug we had when I edited the parser",
    "I want a test that fails when we deploy on friday",
    "once I touch the file, the watcher reloads",
    "before we merge, run the linter",
    "remind me to do it when this is done",
    "remind me to push when the tests pass",
    "why does it remind me to log in when I open the app",
    "```\nremind me to call when I touch a.py\n```",
    "> remind me to call when I touch a.py",
    "fix the login",
    "yes",
    "",
]


@pytest.mark.parametrize("prompt", EVERYDAY)
def test_an_everyday_prompt_states_no_intention(prompt: str) -> None:
    assert stated(Turn(prompt), NOW) is None


@pytest.mark.parametrize(
    "prompt",
    [
        "remind me to call today",  # no time of day, and it is today
        "remind me to call at 25:00",
        "remind me to call when I touch " + "{a,b}" * 8 + ".py",
        "remind me to call when we do it",  # nothing tells what
        "remind me to call when we have finally finished the big rewrite of the old payment system",
        "remind me to call when I touch " + "a" * 500 + ".py",
    ],
)
def test_what_is_not_understood_is_not_guessed(prompt: str) -> None:
    assert stated(Turn(prompt), NOW) is None


def test_a_long_prompt_is_read_only_so_far() -> None:
    asked = "Remind me to call tomorrow."

    assert stated(Turn("A word.\n" * 100 + asked), NOW) is not None
    assert stated(Turn("A word.\n" * 2_000 + asked), NOW) is None


def test_a_part_without_a_name_is_waited_for_by_its_word() -> None:
    found = stated(Turn("Remind me to run the linter when I touch the module."), NOW)

    assert found is not None
    assert found.trigger == {"words": "module"}


def test_of_a_long_prompt_no_more_is_read_than_the_loop_has_time_for() -> None:
    def read(characters: int) -> Callable[[], object]:
        prompt = ("The cache is slow when the index is cold.\n\n" * characters)[:characters]
        return lambda: stated(Turn(prompt), NOW)

    assert ratio(read(400_000), read(8_000), 4) < 4
