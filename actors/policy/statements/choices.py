"""Choices: how a user's choice is worded with its question, and the question found in it again.

A decision is known by its question: the next answer to it takes the place of the first.
"""

from collections.abc import Iterable
from typing import Final

from actors.policy.gate.copies import normalised
from actors.policy.patterns import pattern
from actors.policy.text.wording import TEXT, one_line

ANSWER: Final = "answer"  # the rule

_ASKED: Final = pattern(r"\AAsked “([^”\n]*)”, the user ")


def choice_text(question: str, said: Iterable[str]) -> str:
    """The choice with its question, as one memory; ``said`` are whole sentences."""
    asked = one_line(question.replace("”", '"'), TEXT // 2)
    return one_line(f"Asked “{asked}”, the user chose: {' '.join(said)}")


def question_of(text: str) -> str | None:
    """The question behind a choice, as duplicates are compared; None of any other text."""
    found = _ASKED.match(text)
    return normalised(found[1]) if found else None
