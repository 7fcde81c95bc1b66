"""Before a call with the real Claude Code: the trap about the file is in its next request.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import pytest

from actors.policy.recall.notes import RULES_HEADING
from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said, used
from tests.e2e.test_claude import succeeded
from tests.repositories import laid

pytestmark = pytest.mark.real_client

RULE = "An edit of schema.py by hand is lost with the next build: the generator writes it."


def test_a_trap_about_a_file_is_told_before_its_first_edit(claude: Claude) -> None:
    claude.reverie.document("up")
    folder = laid(claude.reverie.folder)
    schema = folder / "schema.py"
    schema.write_text("VERSION = 1\n")
    claude.reverie.document("remember", RULE, "--type", "discovery", "--project", ".")
    claude.reverie.settle()

    run = claude.run(
        "Raise the number, twice.",
        used("Read", file_path=str(schema)),
        used("Edit", file_path=str(schema), old_string="= 1", new_string="= 2"),
        used("Edit", file_path=str(schema), old_string="= 2", new_string="= 3"),
        said("Done."),
    )

    assert succeeded(run)
    assert schema.read_text() == "VERSION = 3\n"
    (told,) = [note for note in run.notes if RULES_HEADING in note]
    assert RULE in told
