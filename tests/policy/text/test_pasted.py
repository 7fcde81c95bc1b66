"""Whose words a prompt is made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.pasted import MOST, OWN, blocks
from actors.policy.text.turn import Turn

OURS = "we never deploy on fridays"


def own(prompt: str) -> list[str]:
    return [line for line in Turn(prompt).typed.splitlines() if line.strip()]


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nWe always use npm here.\n```",
        "~~~\nanything at all",
        "<details>\nWe use npm.\n</details>",
        "$ make lint\nsrc/a.py:3:1: F401 unused\nFound 1 error.",
        "❯ bun run . list\nTasks:\n- #123: Task [TODO]",
        "dev@box:~/code$ npm test\nYou must always set CI=1.",
        "src/a.go:12:4: undefined: frob\nsrc/b.go:3:1: imported and not used",
        "error TS2345: Argument of type string is not assignable.\n  12 | call(x)",
        "Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'x'",
        "[12:01:44.218] Cloning the repository\n[12:01:45.001] Always prefer pinned versions",
        "INFO: the cache is in /tmp\nWARN: never call this twice",
        "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-We use npm.\n+We use pnpm.",
        "> We use npm, never yarn.\n> So says the bot.",
        "## Walkthrough\nThe module always uses npm.\n\n## Changes\nNever mock the clock.",
        "- [ ] Always run the tests\n- [x] Never push to main",
        "**Summary:** it moved.\n\n**Risk:** low.\n\n**Advice:** Always use npm.",
        "Subject: build\n\nHi all,\n\nWe always use npm.\n\nAnn",
        "On Mon, 3 Mar 2025 Ann wrote:\nWe always use npm.",
        "Branch: main\nWorktree: /srv/a\nStarted: 2 Feb\nAdvice: use npm",
        "| tool | rule |\n|---|---|\n| npm | always |",
        "  Always use npm for this.\n  It goes on in the terminal.",
        '{\n  "always": "npm"\n}',
        "The retry in fetchAll() swallows the error of a page, so callers see an empty list.",
    ],
)
def test_what_a_tool_an_agent_or_another_wrote_is_not_typed(pasted: str) -> None:
    assert own(f"{OURS}\n\n{pasted}") == [OURS]


@pytest.mark.parametrize(
    "prompt",
    [
        OURS,
        "1. reject empty strings\n2. use java 17\n   for now\n3. I don't understand",
        "no, we use tabs.\n\n- each agent names its own constants\n- the registry lists them",
        "error handling: we always return early",
        "I see `foo bar` in src/a.py:12 and we never do that",
        "cmd/a.go:12 is wrong, we use tabs",
        "We use Node 20.\nNever npm, always pnpm!\nThanks :)",
        "Okay, we use pnpm from now on",
        "lots of people write #1 and #2:\n#1 yes\n#2 we use tabs",
        "We call fetchAll() once for each page, so that the cache has all of them.",
        "the cache is filled by fetchAll(), so callers never see an empty list.",
        "Always call fetchAll() once for each page, never in the loop of a caller.",
    ],
)
def test_what_a_person_types_is_theirs(prompt: str) -> None:
    assert own(prompt) == [line for line in prompt.splitlines() if line.strip()]


def test_a_template_is_nobodys_word_at_all() -> None:
    assert own("You are an expert Python engineer.\n\nWe always use npm.") == []
    assert own("Review {{ file }}.\n\nWe always use npm.") == []


def test_what_is_announced_is_anothers() -> None:
    assert own(f"the reviewer said:\nI always use npm\n\n{OURS}") == ["the reviewer said:", OURS]
    assert own(f"fix the review comments:\n\nWe use npm.\n\n{OURS}") == [
        "fix the review comments:",
        OURS,
    ]


def test_an_agents_answer_that_is_handed_back_is_the_agents() -> None:
    answer = "Okay, we use npm here.\n\n**Why:**\n\nI prefer it.\n\nWould you like me to go on?"

    assert own(answer) == []
    assert own(f"{answer}\n\n{OURS}") == [OURS]


def test_a_document_keeps_the_remark_behind_it() -> None:
    plan = "# Plan\n\nWe use npm.\n\n## Steps\n\nAlways test."

    assert own(f"please do this\n\n{plan}\n\nand {OURS}") == ["please do this", f"and {OURS}"]


def test_of_a_long_text_without_shape_the_ends_are_typed() -> None:
    filling = "\n\n".join(["The weather changes every day in the north."] * (MOST // 40))

    assert own(f"{OURS}\n\n{filling}\n\nok?") == [OURS, "ok?"]
    assert own("a word " * MOST) == []
    assert own(f"{'a word ' * OWN}\n\n{filling}\n\nok?") == ["ok?"]


@given(st.text(alphabet="ab:#*>`~<$ \n-|\t", max_size=200))
def test_every_line_is_in_one_block_and_in_its_order(prompt: str) -> None:
    lines = [line.rstrip() for line in prompt.splitlines()]
    found = [line for block in blocks(prompt) for line in block.text.split("\n")] if lines else []

    assert [line.rstrip() for line in found] == lines
