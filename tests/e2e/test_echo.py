"""No echo with the real Claude Code: what a session wrote itself is told to others alone.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import pytest

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said, used
from tests.e2e.test_claude import succeeded

pytestmark = pytest.mark.real_client

DESIGN = """# Orders

## Decision

We decided to send the order events through Redis Streams, because Kafka was too heavy for three services.
"""


def test_a_session_is_not_given_what_it_wrote_and_another_is(claude: Claude) -> None:
    claude.reverie.document("up")
    place = claude.reverie.folder / "docs" / "design.md"
    first = claude.run(
        "Please write the design down.",
        used("Write", file_path=str(place), content=DESIGN),
        said("Written."),
    )
    claude.reverie.settle()
    asked = "Why do the order events go through Redis Streams, and was Kafka too heavy?"
    own = claude.run(asked, said("Redis Streams."), resume=first.session)
    other = claude.run(asked, said("Redis Streams."))

    assert all(succeeded(run) for run in (first, own, other))
    assert own.notes == []
    assert "for three services" in "".join(other.notes)
