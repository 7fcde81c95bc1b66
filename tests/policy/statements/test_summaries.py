"""What a compaction's summary tells, section by section."""

import pytest

from actors.policy.statements.summaries import MESSAGE, of_summary
from tests.growth import too_fast
from tests.tables import rows

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


ON_ONE_LINE = """Summary:
1. Primary Request and Intent: The user wants the audit log exported every night. They asked for tests too.
2. Key decisions: We decided to write Parquet with zstd level 3 because the audit tool rejects CSV. The user prefers small commits.
3. Files and Code Sections: `src/export.py` (must never touch the network), `tests/test_export.py`
4. Errors and fixes: The export failed at midnight because `rotate()` closed the handle first; fixed by opening it in `flush()`.
5. All user messages: "export it every night", "we should never rotate logs by hand"
6. Pending Tasks: We should always run the slow tests; the user wants only one `cron.yaml`.
7. Current Work: Writing `retention.py`, which must never delete because of its age alone.
8. Next step: The user decided to ship `retention.py` on Monday.
"""


def test_sections_that_stand_on_one_line_each_tell_what_they_would_on_several() -> None:
    assert [(one.rule, one.text) for one in of_summary(ON_ONE_LINE)] == [
        (
            "session-summary",
            "We decided to write Parquet with zstd level 3 because the audit tool rejects CSV.",
        ),
        ("session-summary", "The user prefers small commits."),
        (
            "session-summary",
            (
                "The export failed at midnight because `rotate()` closed the handle first."
                " Fixed by opening it in `flush()`."
            ),
        ),
        ("quoted", "We should never rotate logs by hand."),
    ]


REDIS = "Redis holds the locks, not Postgres, because the pooler drops advisory locks."


@pytest.mark.parametrize(
    "heading",
    rows(__file__, "a_section_is_known_by_its_name_however_its_heading_is_marked"),
)
def test_a_section_is_known_by_its_name_however_its_heading_is_marked(heading: str) -> None:
    summary = heading.format(REDIS)

    assert [one.text for one in of_summary(summary)] == [REDIS]


def test_sections_on_one_line_and_on_several_may_be_mixed() -> None:
    summary = (
        "1. Primary Request and Intent:\n   The user wanted a bounded cache.\n\n"
        f"2. Decisions: {REDIS}\n\n"
        "3. Errors and fixes:\n"
        "   - Memory grew because `lru_cache` kept `self`. Fixed by caching `_load` alone.\n"
        "   4. Current work: `bench.py` must never run twice\n\n"
        "4. Current Work: `bench.py` runs, it must not be interrupted because it is slow.\n"
    )

    assert told("session-summary", summary) == [
        REDIS,
        "Memory grew because `lru_cache` kept `self`. Fixed by caching `_load` alone.",
    ]


def test_what_a_line_lists_between_semicolons_is_told_apart_where_each_is_a_sentence() -> None:
    listed = (
        "Decisions: the importer never retries a parse error; a batch spans several files (a; b)."
    )
    short = "User preferences: small commits; tests beside the code; answers in English."

    assert told("session-summary", listed) == [
        "The importer never retries a parse error.",
        "A batch spans several files (a; b).",
    ]
    assert told("session-summary", short) == [short]
    assert told(
        "session-summary", "Preferences: German answers, English code. The user prefers tabs.\n"
    ) == [
        "Preferences: German answers, English code.",
        "The user prefers tabs.",
    ]


@pytest.mark.parametrize(
    "failure",
    [
        "Vectors were lost after a crash because the writer never flushed. Fixed by flushing early.",
        "Upload failed because nginx limits bodies to 1 MB; raised `client_max_body_size` to 8m.",
        "`poll()` hung because a deadline was in seconds. The fix was to convert it in `wait()`.",
        "Rows came twice because `flush()` ran in both threads. Fix: one writer owns `cache.db`.",
    ],
)
def test_a_cause_and_its_fix_stay_together_on_one_line(failure: str) -> None:
    first, last = failure.replace("; r", ". R").rsplit(". ", 1)

    assert told("session-summary", f"4. Errors and fixes: {failure}\n") == [f"{first}. {last}"]


@pytest.mark.parametrize(
    "summary",
    rows(__file__, "requests_files_and_what_is_open_tell_nothing_on_one_line"),
)
def test_requests_files_and_what_is_open_tell_nothing_on_one_line(summary: str) -> None:
    assert of_summary(summary) == []


def test_a_cause_and_a_fix_that_head_a_line_each_stay_together() -> None:
    summary = (
        "Root cause: the key of `cache.db` leaves out the tenant.\n"
        "Fix: add the tenant to `key_of()`.\nNext steps: we must never ship on Friday.\n"
    )

    assert told("session-summary", summary) == [
        "The key of `cache.db` leaves out the tenant. Fix: add the tenant to `key_of()`."
    ]


def test_what_is_pending_or_under_way_is_not_kept() -> None:
    assert not [text for text in map(str, of_summary(SUMMARY)) if "slow" in text]


def test_a_hostile_summary_costs_what_its_length_does() -> None:
    seeds = (
        "- ", "   - a:\n", "- a:\n     - fix b\n", '- "a', "**", "1. A:\n", "fix: ", "(a) ", "user ",
        "User said not a. ", "- User chose b c d\n", "<analysis>\n", "```\n", "1. A\n", "`a", ": ",
        "1. Decisions: ", "Decisions: a\n", "key ", "a; ", "a. B ", '" "', "(", "“a", "**", "fixed; ", "- key decisions and ",
    )  # fmt: skip

    def read(text: str) -> None:
        of_summary(f"\nSummary:\n4. Errors and fixes:\n{text}\n6. All user messages:\n{text}")
        of_summary(f"4. Errors and decisions: {text}\n6. All user messages: {text}")

    assert not too_fast(read, seeds, 4_096)
