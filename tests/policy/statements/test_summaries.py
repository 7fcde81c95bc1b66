"""What a compaction's summary tells, section by section."""

import pytest

from actors.policy.statements.summaries import MESSAGE, of_summary
from tests.growth import too_fast

SUMMARY = """This session is being continued from a previous conversation.

Summary:
1. Primary Request and Intent:
   - Speed up the import

2. Problem Solving:
   - Settled SQLite (not Postgres) for the cache of `import.py`, on the measured 4 ms a row.
   - Looked at the parser and read three files of it.
   - **Problem 1 (FIXED)**: Rows came twice because `flush()` ran in both threads
     - Fix: one writer thread owns the connection of `cache.db`
     - Noticed while reading the log
   - **Problem 2 (in progress)**: `import.py` is slow because of the index

3. Errors and fixes:
   - **`ValueError` of the feed**:
     - Cause: the feed is in local time
     - Fixed by reading it with `utc=True`

6. All user messages:
   - "please look at the import"
   - "we don't want a second cache, we use the one of the parser" (after the first draft)
   - "we should never store times in local time"
   - Our session id is 17, if that helps

7. Pending Tasks:
   - We should always run the slow tests
"""


def told(rule: str, summary: str = SUMMARY) -> list[str]:
    return [draft.text for draft in of_summary(summary) if draft.rule == rule]


def test_what_was_found_out_and_what_mended_it_is_told_with_its_cause() -> None:
    assert told("session-summary") == [
        "Settled SQLite (not Postgres) for the cache of `import.py`, on the measured 4 ms a row.",
        (
            "Rows came twice because `flush()` ran in both threads."
            " Fix: one writer thread owns the connection of `cache.db`."
        ),
    ]


@pytest.mark.parametrize(
    "item",
    [
        "**Import error**: Fixed by restarting the server of `import.py`, which was hung",
        "**Wrong folder**: Initially wrote `specs/a.md` because the template said so. Fixed by moving it",
        "**Details**: `cache.db` never opens because the folder is missing",
        "**Only 50 rows in `list.py`**: Fixed by raising the limit",
    ],
)
def test_a_slip_of_hands_and_a_fix_without_a_cause_are_left_to_git(item: str) -> None:
    assert told("session-summary", f"4. Errors and fixes:\n   - {item}\n") == []


def test_a_cause_that_speaks_of_how_things_are_is_told() -> None:
    item = (
        "**`huh` ignores the pty**: huh opens `/dev/tty` directly. Fixed by setting `ACCESSIBLE=1`"
    )

    assert told("session-summary", f"4. Errors and fixes:\n   - {item}\n") == [
        "`huh` ignores the pty: huh opens `/dev/tty` directly. Fixed by setting `ACCESSIBLE=1`."
    ]


def test_what_a_summary_quotes_of_the_user_is_read_like_a_prompt_and_stays_the_agents_word() -> (
    None
):
    quoted = [draft for draft in of_summary(SUMMARY) if draft.rule == "quoted"]

    assert [draft.text for draft in quoted] == [
        "We don't want a second cache, we use the one of the parser.",
        "We should never store times in local time.",
    ]
    assert {draft.kind for draft in quoted} == {"decision"}


def test_a_short_message_is_quoted_whole_and_of_a_long_one_what_holds() -> None:
    rule = "we should never store times in local time"
    short = f"{rule}, it was a problem of `feed.py` last time. can that go into the first PR?"
    long = f"{rule}. " + "look at the import and at the parser as well. " * (MESSAGE // 40)

    def quoted(message: str) -> list[str]:
        return told("quoted", f'6. All user messages:\n   - "{message}"\n')

    assert quoted(short) == [f"W{short[1:]}"]
    assert quoted(long) == ["We should never store times in local time."]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("User caught that I wasn't writing the failing tests first.", "convention"),
        ("User called out twice that I declared a root cause too early.", "convention"),
        ("User requested strict order: the failing test first, then the change.", "convention"),
        ("User corrected me: the branch of this work is `feat/prices`, not `main`.", "decision"),
        ("User chose the writer over the queue, because one of them is enough.", "decision"),
    ],
)
def test_how_the_agent_was_set_right_is_a_convention(said: str, kind: str) -> None:
    found = of_summary(f"4. Problem Solving:\n   - {said}\n")

    assert [(one.text, one.kind) for one in found] == [(said, kind)]


def test_what_several_sections_tell_is_told_once() -> None:
    settled = (
        'User decided on one writer: "We should never store times in local time" holds for all.'
    )
    summary = SUMMARY.replace("Looked at the parser and read three files of it.", settled)

    assert settled in told("session-summary", summary)
    assert "We should never store times in local time." not in told("quoted", summary)


@pytest.mark.parametrize(
    ("section", "item", "expected"),
    [
        ("Key Decisions", "The cache holds 500 entries.", "The cache holds 500 entries."),
        (
            "Key Decisions",
            "one writer for both threads",
            "Key Decisions: one writer for both threads.",
        ),
        ("Key Decisions", "Updated all callers of the cache", ""),
        ("Constraints", "Redis holds the locks of all.", "Redis holds the locks of all."),
        ("User Preferences", "Prefers pnpm over npm", "User Preferences: Prefers pnpm over npm."),
        ("User Preferences", "The user prefers small commits.", "The user prefers small commits."),
        ("Key Technical Concepts", "The cache holds 500 entries.", ""),
    ],
)
def test_what_stands_in_a_numbered_section_of_agreements_is_agreed(
    section: str, item: str, expected: str
) -> None:
    assert "".join(told("session-summary", f"3. {section}:\n   - {item}\n")) == expected


def test_what_is_pending_or_under_way_is_not_kept() -> None:
    assert not [text for text in map(str, of_summary(SUMMARY)) if "slow" in text]


def test_a_hostile_summary_costs_what_its_length_does() -> None:
    seeds = (
        "- ", "   - a:\n", "- a:\n     - fix b\n", '- "a', "**", "1. A:\n", "fix: ", "(a) ", "user ",
        "User said not a. ", "- User chose b c d\n", "<analysis>\n", "```\n", "1. A\n", "`a", ": ",
        "a; ", "a. B ", '" "', "(", "“a", "fixed; ",
    )  # fmt: skip

    def read(text: str) -> None:
        of_summary(f"\nSummary:\n4. Errors and fixes:\n{text}\n6. All user messages:\n{text}")

    assert not too_fast(read, seeds, 4_096)
