"""A decision of one person in the real client of another, by a repository between two homes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said, used
from tests.holders import holders
from tests.repositories import git

pytestmark = pytest.mark.real_client

PRIVATE = "The safe in the office opens with 4711."
DECISION = "We chose Redis Streams for the order events, because Kafka was too much to run."


@pytest.fixture
def clone(claude: Claude) -> Path:
    """A clone in which somebody with a home of their own has shared a decision."""
    reverie = claude.reverie
    origin, theirs = reverie.folder.with_name("origin.git"), reverie.folder.with_name("theirs")
    git(reverie.folder.parent, "init", "--quiet", "--bare", str(origin))
    git(reverie.folder.parent, "clone", "--quiet", str(origin), str(theirs))
    git(theirs, "config", "user.name", "Ada")
    home = reverie.folder.with_name("ada")
    home.mkdir()
    environ = {**reverie.environ, "REVERIE_HOME": str(home)}
    ada = replace(reverie, folder=theirs, environ=environ)
    ada.run("remember", "--project", ".", "--type", "decision", "--title", "Order events", DECISION)
    ada.run("remember", "--project", ".", "--type", "wish", PRIVATE)
    shared = ada.run("share", "--project", "--yes")
    ada.run("down")
    assert "wrote 1 note" in shared.stdout, shared.stderr
    git(theirs, "add", "--all")
    git(theirs, "commit", "--quiet", "--message", "What we decided")
    git(theirs, "push", "--quiet", "origin", "HEAD")
    subprocess.run(["git", "clone", "--quiet", str(origin), "."], cwd=reverie.folder, check=True)
    return reverie.folder


def test_a_colleague_is_told_by_title_after_trust_and_whole_once_the_note_was_opened(
    claude: Claude, clone: Path
) -> None:
    question = "What did we choose for the order events, and why?"
    stranger = claude.run(question, said("I do not know."))
    trusted = claude.reverie.run("share", "trust", "--yes")
    titled = claude.run(
        question,
        used("Bash", command="reverie show m1", description="open the note"),
        said("Redis Streams."),
    )
    claude.reverie.settle()
    opened = claude.run(question, said("Redis Streams, as before."))

    assert [note for note in stranger.notes if "Order events" in note] == []
    assert "1 note of others came" in trusted.stdout
    assert "Order events (m1: shared by Ada, today; its title alone)" in "\n".join(titled.notes)
    assert "Kafka was too much to run. (m1: shared by Ada, today" in "\n".join(opened.notes)
    assert holders(claude.reverie.home.root, "4711") == holders(clone, "4711") == []
