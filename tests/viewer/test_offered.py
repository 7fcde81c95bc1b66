"""Every operation of the daemon is offered to the pages, or is not for a reason."""

from __future__ import annotations

from daemon.api.operation import operations, subjects
from viewer.desk import OFFERED, OWN, offered

WITHHELD = {
    "what it erases is gone": {"erase", "purge", "delete-backup", "erase-intention", "leave"},
    "a setting, or a choice made at the terminal": {"reader-use"},
    "it ends or begins what others use": {"stop"},
    "only programs ask it": {
        "anchors", "await-embedded", "backups", "brief", "export", "export-gone", "export-graph", "follow", "greet",
        "import", "journal", "judge", "match", "mute-hint", "open",
        "watch",
    },
    "it reads or writes in bulk, or files of a repository": {
        "learn", "read-transcripts", "secrets", "share", "share-trust", "share-untrust", "shared-notes", "take-back",
    },
    "no page is about it yet": {
        "backfill", "change-intention", "intend",
    },
}  # fmt: skip


def test_each_operation_is_offered_or_withheld_for_a_reason() -> None:
    every = {one.NAME for subject in subjects() for one in operations(subject)}

    withheld = {name for names in WITHHELD.values() for name in names}

    assert every == withheld | OFFERED
    assert not withheld & OFFERED
    assert not set(OWN) & every


def test_each_offered_operation_is_there() -> None:
    assert offered().keys() == OFFERED
