"""Folders by what they are for, beside a real daemon."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Program, document

TEXTS = {
    "README.md": "# Shop\n\nSells tea to people who like it.\n",
    "packages/mailer/README.md": "# Mailer\n\nSends receipts by mail.\n",
    "packages/tax/spec.md": "# Tax\n\n## Problem\n\nComputes what is owed in each country.\n",
    "packages/plain/main.py": "print('tea')\n",
    "private/README.md": "# Private\n\nSends nothing to anybody at all.\n",
    ".gitignore": "private/\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository whose folders say what they are for."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for place, text in TEXTS.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    return tmp_path


def test_folders_tells_what_each_folder_of_this_project_is_for(
    shop: Path, command: Program
) -> None:
    said = command("recall", "--folders").stdout.splitlines()

    assert said == [
        f"{shop.name}/",
        "  Shop: Sells tea to people who like it.",
        f"{shop.name}/packages/mailer",
        "  Mailer: Sends receipts by mail.",
        f"{shop.name}/packages/tax",
        "  Tax: Computes what is owed in each country.",
    ]


def test_a_question_is_led_to_the_folder_it_is_about(shop: Path, command: Program) -> None:
    found = document(command("recall", "--folders", "who sends receipts of tea?", "--json"))

    assert [(one["folder"], one["matched"]) for one in found["folders"]] == [
        ("packages/mailer", 0.667),
        ("", 0.333),
    ]


def test_what_no_folder_is_about_is_said(shop: Path, command: Program) -> None:
    assert "no folder" in command("recall", "--folders", "kubernetes").stdout


def test_of_all_projects_those_with_memories_are_looked_through(
    shop: Path,
    command: Program,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command("remember", "The tea of the shop is green.", "--project", ".")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))

    here = document(command("recall", "--folders", "--json"))
    found = document(command("recall", "--folders", "receipts", "--all", "--json"))

    assert here["folders"] == []
    assert [one["project"] for one in found["folders"]] == [str(shop)]


def test_a_readme_is_read_as_it_is_now(shop: Path, command: Program) -> None:
    before = document(command("recall", "--folders", "parcels", "--json"))["total"]
    (shop / "packages/mailer/README.md").write_text("# Mailer\n\nSends parcels by bicycle.\n")

    assert (before, document(command("recall", "--folders", "parcels", "--json"))["total"]) == (
        0,
        1,
    )
