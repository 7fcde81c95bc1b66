"""What people state plainly, measured on 320 prompts.

``plain_statements.jsonl`` holds prompts and, of those that state something worth keeping, words that
what is kept must hold. Set ``a`` was read when the rules were written. The others were run once with
the rules as they then were, which is the figure of docs/remembering.md; ``b`` to ``e`` then showed
what to mend, ``f`` changed nothing. So the bounds of ``f`` alone are those of prompts never met.
"""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from actors.policy.statements.statements import statements

SET = Path(__file__).parent / "plain_statements.jsonl"


class Labelled(NamedTuple):
    set: str
    prompt: str
    keeps: str | None


def labelled() -> list[Labelled]:
    rows = [json.loads(line) for line in SET.read_text("utf-8").splitlines()]
    return [Labelled(row["set"], row["prompt"], row["keeps"]) for row in rows]


def is_kept(row: Labelled) -> bool:
    said = [found.text.casefold() for found in statements(row.prompt)]
    return any(row.keeps is None or row.keeps in text for text in said)


@pytest.mark.parametrize(
    ("name", "least", "of"),
    [("a", 28, 30), ("b", 28, 30), ("c", 19, 20), ("d", 16, 20), ("e", 19, 20), ("f", 10, 20)],
)
def test_what_is_stated_plainly_is_kept(name: str, least: int, of: int) -> None:
    rows = [row for row in labelled() if row.set == name and row.keeps is not None]

    assert len(rows) == of
    assert sum(map(is_kept, rows)) >= least


def test_of_the_harmless_prompts_none_is_kept() -> None:
    rows = [row for row in labelled() if row.keeps is None]

    assert len(rows) == 180
    assert [row.prompt for row in rows if is_kept(row)] == []
