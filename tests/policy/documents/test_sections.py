"""Sections of a document, with the path of headings above them; which files are documents, and what for."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.documents.sections import Purpose, own_note, prose_lines, purpose, sections


def test_a_section_carries_the_headings_above_it_and_the_line_where_its_text_begins() -> None:
    text = "Before.\n\n# Title\n\nIntro.\n\n## Cache ##\nUse zstd.\n\n### Why\nIt is small.\n## Next\nEnd."

    found = sections(text)

    assert [(each.headings, each.first_line, each.text) for each in found] == [
        ((), 1, "Before."),
        (("Title",), 5, "Intro."),
        (("Title", "Cache"), 8, "Use zstd."),
        (("Title", "Cache", "Why"), 11, "It is small."),
        (("Title", "Next"), 13, "End."),
    ]


def test_an_underlined_line_is_a_heading() -> None:
    found = sections("Title\n=====\n\nText.\n\nPart\n----\nMore.\n")

    assert [each.headings for each in found] == [("Title",), ("Title", "Part")]


def test_a_rule_a_list_and_a_table_are_no_underlined_headings() -> None:
    text = "# A\ntwo lines\nof text\n---\n\n- item\n---\n\n| a | b |\n|---|---|\n"

    assert [each.headings for each in sections(text)] == [("A",)]


def test_a_hash_within_fenced_code_is_no_heading() -> None:
    text = "# A\n```sh\n# comment\n~~~\n```\ntext\n````md\n```\n# inner\n```\n````\n# B\nend"

    found = sections(text)

    assert [each.headings for each in found] == [("A",), ("B",)]
    assert "# comment" in found[0].text


def test_front_matter_is_no_text() -> None:
    found = sections("---\nname: x\n---\n\nText.\n")

    assert [(each.headings, each.first_line, each.text) for each in found] == [((), 5, "Text.")]


def test_a_rule_at_the_beginning_that_nothing_closes_is_no_front_matter() -> None:
    assert sections("---\nText.\n")[0].text == "---\nText."


def test_lines_know_whether_they_are_code() -> None:
    lines = list(prose_lines("a\n```\nb\n```\nc"))

    assert [line.number for line in lines if line.is_prose] == [1, 5]


@given(st.text(alphabet="#=-~`| \nab>", max_size=300))
def test_every_line_that_a_section_holds_stands_in_the_document_where_it_says(text: str) -> None:
    lines = text.splitlines()

    for each in sections(text):
        held = each.text.splitlines()
        assert [line.rstrip() for line in lines[each.first_line - 1 :][: len(held)]] == [
            line.rstrip() for line in held
        ]


def test_cutting_takes_cpu_in_proportion_to_the_document() -> None:
    def cpu(text: str) -> float:
        began = time.process_time()
        sections(text)
        return time.process_time() - began

    for shape in ("# a\n\n", "a\n---\n", "```\n", "#" * 50 + " " * 50, "- a\n", "---\n"):
        small, large = (min(cpu(shape * n) for _ in range(3)) for n in (2_000, 16_000))

        assert large < 40 * small + 0.01, shape


# ---- which files are documents


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
