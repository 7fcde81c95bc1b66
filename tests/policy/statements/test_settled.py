"""What a person settled, as the account of a session tells it."""

import pytest

from actors.policy.statements.accounts import Point, points, sections, settled
from tests.tables import rows

ACCOUNT = """<analysis>
Let me go through it:

1. **Sharing discussion:**
   - User decided: by public key only; look-ups are for a later phase
   - User asked about the tradeoffs
   - I explained them
   - User chose: the settings page for the key (not the dialog)

2. **Wrong branch**: User pointed out `deploy.yml` must not be on `feat/a`. I reverted it.

Key technical decisions:
- Rotation of keys only on the next change of `folder.ts`
- Updated all callers
</analysis>
<summary>
1. Primary Request and Intent:
   The user wanted a faster `import.py`. Key requirements:
   - No second cache beside `cache.db`
   - Times are stored in UTC

2. Problem Solving:
   1. Not a section:
      - User rejected `extract.go` as a name, it is `agent.go`
```
9. Current Work:
```
</summary>"""


def of(account: str) -> list[str]:
    return [text for _, body in sections(account) for one in points(body) if (text := settled(one))]


def test_points_tell_what_the_user_decided_set_right_and_required_under_their_titles() -> None:
    assert of(ACCOUNT) == [
        (
            "Sharing discussion: User decided: by public key only; look-ups are for a later phase."
            " User chose: the settings page for the key (not the dialog)."
        ),
        "Wrong branch: User pointed out `deploy.yml` must not be on `feat/a`.",
        "Key technical decisions: Rotation of keys only on the next change of `folder.ts`.",
        (
            "The user wanted a faster `import.py`. Key requirements: No second cache beside"
            " `cache.db`. Times are stored in UTC."
        ),
        "Not a section: User rejected `extract.go` as a name, it is `agent.go`.",
    ]


def test_headings_of_sections_count_up_and_code_has_none() -> None:
    assert [name for name, _ in sections(ACCOUNT)] == [
        "Analysis", "Primary Request and Intent", "Problem Solving",
    ]  # fmt: skip


def test_an_account_without_marks_is_read_as_well() -> None:
    plain = ACCOUNT.replace("<analysis>", "Analysis:").replace("</analysis>", "")

    assert of(plain.replace("<summary>", "\nSummary:")) == of(ACCOUNT)


@pytest.mark.parametrize(
    "line",
    rows(__file__, "orders_reports_and_questions_settle_nothing"),
)
def test_orders_reports_and_questions_settle_nothing(line: str) -> None:
    assert settled(Point(line)) == ""


def test_what_is_quoted_is_not_cut_and_a_number_is_no_title() -> None:
    line = 'Error 3: User feedback: "Stop! Never a second cache. Use the one of `parser.py`"'
    told = f"{line.removeprefix('Error 3: ')}."

    assert settled(Point(line)) == told
    assert settled(Point("Error 3:", [told.removesuffix(".")])) == told


def test_more_than_a_memory_holds_is_left_out_line_by_line() -> None:
    lines = [f"User chose: `part{number}` for the step of number {number}" for number in range(40)]

    text = settled(Point("Discussion of the steps:", lines))

    assert len(text) <= 600
    assert text.endswith(".")
    assert text.startswith("Discussion of the steps: User chose: `part0`")
