"""Items of documents: what is worth keeping of them, self-contained, and what is not."""

import pytest

from actors.policy.documents.items import MOST, Topic, items
from actors.policy.documents.sections import Purpose
from tests.growth import too_fast
from tests.tables import rows


def told(body: str, purpose: Purpose = Purpose.NOTE, title: str = "# Notes") -> list[str]:
    return [each.text for each in items(f"{title}\n\n{body}\n", purpose)]


@pytest.mark.parametrize(
    ("heading", "body", "topic"),
    [
        (
            "Gotchas",
            "- `make lint` hangs on macOS, because the watcher waits for `fsevents`.",
            Topic.TRAP,
        ),
        (
            "Rules",
            "- Never run `reset.sh` on staging: it drops the `orders` table.",
            Topic.RULE,
        ),
        (
            "Decisions",
            "- We chose `zstd` over `gzip` because it halves the upload time on CI.",
            Topic.DECISION,
        ),
        (
            "What happened",
            "The hang of `worker.py` was caused by a lock that `flush()` never released, so no job ended.",
            Topic.CAUSE,
        ),
        (
            "Next steps",
            "- **Rotate `DEPLOY_KEY`**: still the old one, and `ci.yml` must not use it after March.",
            Topic.OPEN,
        ),
    ],
)
def test_each_topic_is_told(heading: str, body: str, topic: Topic) -> None:
    (item,) = items(f"# Notes\n\n## {heading}\n\n{body}\n", Purpose.NOTE)

    assert item.topic is topic
    assert item.headings == ("Notes", heading)
    assert item.line == 5
    assert body.strip("- ").replace("**", "").startswith(item.text[:40])


@pytest.mark.parametrize(
    "body",
    rows(__file__, "what_is_done_required_explained_elsewhere_or_of_the_document_is_not_told"),
)
def test_what_is_done_required_explained_elsewhere_or_of_the_document_is_not_told(
    body: str,
) -> None:
    assert told(body) == []


def test_a_heading_that_is_a_claim_is_told_with_its_reasons() -> None:
    body = (
        "## Decisions\n\n### D1 — Derive Java from `minJava`, not `sourceCompatibility`\n\n"
        "There is a table below. Following the floor is right because only Flutter moves it.\n"
    )

    (claim,) = told(body, Purpose.DESIGN)
    assert claim.startswith("Derive Java from `minJava`, not `sourceCompatibility`. ")
    assert claim.endswith("Following the floor is right because only Flutter moves it.")


def test_an_item_without_a_subject_is_told_with_its_heading() -> None:
    body = "## The `cache/` folder\n\n### Gotchas\n\n- It is never emptied, because two jobs write there at once."

    assert told(body) == [
        "The `cache/` folder: It is never emptied, because two jobs write there at once."
    ]


def test_what_a_notes_metadata_says_it_tells_is_told() -> None:
    text = (
        "---\nname: x\ndescription: the `lint` job checks syntax only, never values\n---\n\nMore.\n"
    )

    (item,) = items(text, Purpose.NOTE)

    assert (item.line, item.text) == (3, "The `lint` job checks syntax only, never values.")


def test_a_guide_tells_less_than_a_note() -> None:
    said = "## Gotchas\n\n- `make lint` needs `REGION` set, otherwise it stops."

    assert len(told(said, Purpose.NOTE)) == 1
    assert told(said, Purpose.GUIDE) == []


def test_a_row_with_a_reason_is_told_with_its_columns() -> None:
    table = "| Candidate | Why not |\n|---|---|\n| `doctor` | Never usable, because it is circular: it fails silently |\n"

    assert told(f"## Rejected candidates\n\n{table}", Purpose.DESIGN) == [
        "Rejected candidates: `doctor`: Never usable, because it is circular: it fails silently."
    ]


def test_of_instructions_nothing_is_told() -> None:
    rule = "## Rules\n\n- Never run `reset.sh` on staging: it drops the `orders` table."

    assert told(rule, Purpose.INSTRUCTIONS) == []


def test_a_long_document_tells_the_few_that_explain_most() -> None:
    sections = [
        f"## Gotchas {n}\n\n- `tool{n}` fails silently on port {n}, because `lib{n}` never waits.\n"
        for n in range(40)
    ]

    assert len(told("\n".join(sections))) == MOST


def test_a_line_of_a_wrapped_item_in_a_list_is_part_of_it() -> None:
    body = "## Gotchas\n\n1. `make lint` hangs on macOS,\n   because the watcher\n   waits for `fsevents`.\n"

    assert told(body) == ["`make lint` hangs on macOS, because the watcher waits for `fsevents`."]


def test_items_take_cpu_in_proportion_to_the_document() -> None:
    shapes = (
        "## a b\n\n- never `x`, because\n",
        "**" * 20 + "\n",
        "| a ", "[" * 40 + "\n",
        "<!-- " * 10 + "\n",
        "- a\n", "`" * 9 + " ",
        "because so that never not \n\n",
        "Status: superseded by ",
        "a. B! C? ",
        "# `x` is not\n\nNever because `y`. So that it is not.\n\n",
    )  # fmt: skip

    assert too_fast(lambda text: items(text, Purpose.NOTE), shapes, 64 * 1024, ("",)) == []
