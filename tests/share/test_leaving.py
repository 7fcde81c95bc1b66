"""What leaves for a repository, and the reason why anything else stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from actors.memory.particulars import Particulars
from actors.memory.rows import Memory
from daemon.api.operation import Terminal
from daemon.api.share import Share
from daemon.share.leaving import note_of, why_it_stays
from daemon.share.note import read, written
from tests.repositories import git
from tests.share.test_note import NOTE

SHOP = "/home/ada/shop"
DECIDED = Memory(
    id=7, key=None, text="Tests listen above 9000.", title="Ports", kind="decision", tier="normal",
    memory_type="semantic", context_type="decision", project=SHOP, created_at=0.0, updated_at=0.0,
    content_hash=b"", stability=1.0, difficulty=5.0, importance=0.5, confidence=0.5, last_review=None,
    reviews=0, lapses=0, last_implicit=None, last_use=None, uses=0, exposures=0, pinned=False,
    ended=None, superseded_by=None, versions=1, unjudged=False, source="hand", session=None,
    triggers=(), derived=(), status="confirmed", valid_from=None, valid_until=None, subject=None,
)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, ""),
        ({"source": "answer"}, ""),
        ({"source": "agent", "confidence": 0.45}, "nobody said or kept it: reverie confirm m7"),
        ({"source": "agent", "confidence": 0.6}, ""),
        ({"source": "agent", "confidence": 0.45, "pinned": True}, ""),
        ({"kind": "preference"}, "a wish is yours: it does not leave"),
        ({"kind": "insight"}, "its type, insight, does not leave"),
        ({"project": None}, "it is yours for all work, and of no project"),
        ({"project": "/home/ada/other"}, "it is of another project"),
        ({"ended": "forgotten"}, "it is forgotten"),
        ({"status": "hypothesis"}, "it is only supposed"),
        ({"source": "shared", "author": "Bob", "confidence": 0.7}, "Bob shares it already"),
        ({"source": "shared", "author": "Bob", "confidence": 0.7, "versions": 2}, ""),
        ({"text": f"logs are in {Path.home()}/logs"}, "it names a place in your home folder"),
        ({"triggers": (f"{Path.home()}/logs",)}, "it names a place in your home folder"),
        (
            {"particulars": Particulars(why=f"see {Path.home()}")},
            "it names a place in your home folder",
        ),
    ],
)
def test_only_what_a_person_said_or_kept_of_the_project_leaves(
    change: dict[str, Any], reason: str
) -> None:
    memory = replace(DECIDED, **change)

    assert why_it_stays(memory, SHOP, is_kept=False) == reason


def test_a_readers_note_that_a_person_kept_leaves() -> None:
    noted: Memory = replace(DECIDED, source="noticed-reader", confidence=0.45)

    assert why_it_stays(noted, SHOP, is_kept=True) == ""
    assert why_it_stays(noted, SHOP, is_kept=False) != ""


def test_a_note_says_nothing_that_its_file_would_not_give_back() -> None:
    memory = replace(
        DECIDED, title="Ports\u202e  and\nhosts", text=" one\r\ntwo\x1b[31m ", triggers=("new  port", ""),
        created_at=1_795_990_574.25, particulars=Particulars(why="CI\nblocks\x1b the others"),
    )  # fmt: skip

    note = note_of(memory, NOTE.id, " Ada\n", [".env", "src/a.py"], None, own=True)

    assert (note.title, note.text, note.by) == ("Ports and hosts", "one\ntwo[31m", "Ada")
    assert (note.cues, note.about) == (("new port",), ("src/a.py",))
    assert note.why == "CI blocks the others"
    assert read(written(note)) == note


def test_a_note_of_others_keeps_who_shared_it_and_when() -> None:
    memory = replace(DECIDED, title="Hosts", text="anew", triggers=("mine",))
    note = note_of(memory, NOTE.id, "Bob", ["b.py"], NOTE, own=False)

    assert note == replace(NOTE, title="Hosts", text="anew")


def test_a_name_that_git_has_in_another_encoding_is_still_a_name(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with (tmp_path / ".git" / "config").open("ab") as file:
        file.write("[user]\n\tname = J\u00fcrgen\n".encode("latin-1"))

    meant = Share(ids=["m1"], project=str(tmp_path)).prepared(Terminal())

    assert isinstance(meant, Share)
    assert meant.by == "J\ufffdrgen"
