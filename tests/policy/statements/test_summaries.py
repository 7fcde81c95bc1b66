"""What a compaction's summary tells, section by section."""

from actors.policy.statements.summaries import of_summary
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
        (
            "`ValueError` of the feed: Cause: the feed is in local time."
            " Fixed by reading it with `utc=True`."
        ),
    ]


def test_what_a_summary_quotes_of_the_user_is_read_like_a_prompt_and_stays_the_agents_word() -> (
    None
):
    quoted = [draft for draft in of_summary(SUMMARY) if draft.rule == "quoted"]

    assert [draft.text for draft in quoted] == [
        "We don't want a second cache, we use the one of the parser.",
        "We should never store times in local time.",
    ]
    assert {(draft.kind, draft.origin.value) for draft in quoted} == {("decision", "agent")}


def test_what_the_summary_says_was_settled_is_not_quoted_again() -> None:
    settled = (
        'User decided on one writer: "We should never store times in local time" holds for all.'
    )
    summary = SUMMARY.replace("Looked at the parser and read three files of it.", settled)

    assert settled in told("session-summary", summary)
    assert "We should never store times in local time." not in told("quoted", summary)


def test_what_is_pending_or_under_way_is_not_kept() -> None:
    assert not [text for text in map(str, of_summary(SUMMARY)) if "slow" in text]


def test_a_hostile_summary_costs_what_its_length_does() -> None:
    seeds = ("- ", "   - a:\n", "- a:\n     - fix b\n", '- "a', "**", "1. A:\n", "fix: ", "(a) ")

    def read(text: str) -> None:
        of_summary(f"\nSummary:\n4. Errors and fixes:\n{text}\n6. All user messages:\n{text}")

    assert not too_fast(read, seeds, 16_384)
