"""At the moment of failure with the real Claude Code: what ended it in an earlier session is told.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import pytest

from actors.policy.recall.notes import ENDED_HEADING
from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said, used
from tests.e2e.test_claude import succeeded
from tests.repositories import laid

pytestmark = pytest.mark.real_client

RATES = "STANDARD=19\n"
CHECK = """check:
\t@grep -q REDUCED rates.env || { echo 'rates.env:2: the reduced rate is not declared' >&2; exit 1; }
"""


def test_a_failure_that_was_ended_before_is_told_its_end_once(claude: Claude) -> None:
    claude.reverie.document("up")
    folder = laid(claude.reverie.folder)
    (folder / "Makefile").write_text(CHECK)
    (folder / "rates.env").write_text(RATES)
    check = used("Bash", command="make check", description="run the check")
    first = claude.run(
        "Please mend make check.",
        check,
        used("Read", file_path=str(folder / "rates.env")),
        used("Edit", file_path=str(folder / "rates.env"), old_string=RATES,
             new_string=f"{RATES}REDUCED=7\n"),
        check,
        said("It passes."),
    )  # fmt: skip
    claude.reverie.settle()
    (folder / "rates.env").write_text(RATES)

    second = claude.run("Is the shop in order?", check, check, said("No."))

    assert succeeded(first)
    assert succeeded(second)
    (told,) = [note for note in second.notes if ENDED_HEADING in note]
    assert "This failure was last ended by an edit of rates.env (session " in told
    assert ENDED_HEADING not in "".join(first.notes)
