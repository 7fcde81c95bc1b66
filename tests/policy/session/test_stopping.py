"""Where a session stopped, in few words."""

from __future__ import annotations

import pytest

from actors.policy.session.stopping import ASKED, ENDING, where_it_stopped

DONE = "The cache is keyed by URL.\n\nOpen: the test of expiry still fails."


SAID = (
    "The user's last prompt was “Add a cache”; the answer ended: The cache is keyed by URL."
    " Open: the test of expiry still fails."
)


@pytest.mark.parametrize(
    ("asked", "answer", "said"),
    [
        ("Add a cache", DONE, SAID),
        ("", "## Next steps\n\nOpen: retries", "The answer ended: Next steps Open: retries"),
        ("Add a cache", " \n\n", ""),
    ],
)
def test_the_prompt_and_the_end_of_the_answer_are_told(asked: str, answer: str, said: str) -> None:
    assert where_it_stopped(asked, answer) == said


def test_of_a_long_answer_the_last_paragraphs_are_told_whole() -> None:
    last = "It stops at the migration. " * 9
    said = where_it_stopped("go on", f"{'Much was read. ' * 40}\n\n{last}")

    assert said.endswith(f"answer ended: {last.strip()}")


def test_a_paragraph_that_is_too_long_is_told_from_its_beginning() -> None:
    said = where_it_stopped("x" * 900, "It was a long day. " * 90)

    assert len(said) <= ASKED + ENDING + 60
    assert "It was a long day." in said
