"""No echo of the instructions that the real Claude Code loads: it tells which, the daemon reads them.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import pytest

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said
from tests.e2e.test_claude import succeeded

pytestmark = pytest.mark.real_client

FACT = "The staging database listens on port 5433, because 5432 is taken by the proxy."
ASKED = "Which port does the staging database listen on, and what takes 5432?"


def test_what_the_instructions_say_is_not_told_back_also_after_a_restart(claude: Claude) -> None:
    claude.reverie.document("up")
    claude.reverie.document("remember", FACT)
    without = claude.run(ASKED, said("5433."))
    (claude.reverie.folder / "CLAUDE.md").write_text(f"# Shop\n\n- {FACT}\n", encoding="utf-8")
    first = claude.run("Hello.", said("Hello."))
    # The client tells them as it resumes, beside the prompt and in either order.
    claude.run("Hello again.", said("Hello."), resume=first.session)
    claude.reverie.settle()
    same = claude.run(ASKED, said("5433."), resume=first.session)
    other = claude.run(ASKED, said("5433."))
    claude.reverie.settle()
    claude.reverie.kill()
    claude.reverie.document("up")
    again = claude.run(ASKED, said("5433."), resume=first.session)

    assert all(succeeded(run) for run in (without, first, same, other, again))
    assert FACT in "".join(without.recalled)
    assert same.recalled == other.recalled == again.recalled == []
    kinds = [e["kind"] for e in claude.reverie.journal()]
    assert "instructions" in kinds
    assert claude.reverie.files_with("# Shop") == []
