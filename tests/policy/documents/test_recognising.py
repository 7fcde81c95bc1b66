"""Which files are documents, and what for."""

import pytest

from actors.policy.documents.sections import Purpose, own_note, purpose


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("CLAUDE.md", Purpose.INSTRUCTIONS),
        ("apps/web/AGENTS.md", Purpose.INSTRUCTIONS),
        ("HANDOFF.md", Purpose.NOTE),
        (".handoffs/2026-07-01-migration.md", Purpose.NOTE),
        ("memory/feedback_lint.md", Purpose.NOTE),
        ("docs/TROUBLESHOOTING.md", Purpose.GUIDE),
        ("docs/plans/undo.md", Purpose.NOTE),
        ("docs/adr/0003-storage.md", Purpose.DESIGN),
        ("openspec/changes/x/design.md", Purpose.DESIGN),
        ("README.md", Purpose.GUIDE),
        ("docs/caching.mdx", Purpose.GUIDE),
        ("CHANGELOG.md", Purpose.RECORD),
        ("openspec/specs/cache/spec.md", Purpose.RECORD),
        ("openspec/changes/x/tasks.md", Purpose.RECORD),
    ],
)
def test_documents_are_told_by_name_and_folder(place: str, what: Purpose) -> None:
    assert purpose(place) is what


@pytest.mark.parametrize(
    "place",
    [
        "src/app.py", "LICENSE.md", "node_modules/x/README.md", "vendor/y/docs/a.md",
        "tests/fixtures/plan.md", ".claude/commands/review.md", ".claude/skills/x/SKILL.md",
        ".github/PULL_REQUEST_TEMPLATE.md",
        "memory/MEMORY.md", "notes", "", ".reverie/notes/ports-638d0fddb0be.md",
    ],
)  # fmt: skip
def test_code_and_what_others_wrote_are_no_documents(place: str) -> None:
    assert purpose(place) is None


def test_an_agents_own_notes_lie_in_memory() -> None:
    home = "/home/dev/.claude"

    assert own_note(f"{home}/projects/-home-dev-shop/memory/a.md") == "memory/a.md"
    assert own_note(f"{home}/plans/b.md") == "memory/b.md"
    assert own_note("/home/dev/shop/memory/a.md") == ""
