"""The state of a memory, over the socket of a real daemon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from daemon.storage.database.sql import Sql
from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, Refusal, prompt, wait_for
from tests.patience import PATIENCE

DAY = 86_400.0
FACT = "the blue whale database listens on port 5432 in staging"


def aged(daemon: Daemon, days: float) -> None:
    """As if everything had happened so many days earlier."""
    connection = apsw.Connection(str(daemon.home.database))
    connection.set_busy_timeout(round(1000 * PATIENCE))
    sql = Sql(connection)
    try:
        for column in ("created_at", "last_use", "last_review"):
            sql.rows(f"UPDATE memory SET {column} = {column} - ?", (days * DAY,))
    finally:
        connection.close()


def shown(daemon: Daemon, id_: str) -> Any:
    return daemon.ask("show", id=id_)


def test_a_list_goes_by_the_lifecycle(clean: Daemon) -> None:
    old = clean.remember(FACT)
    aged(clean, 40)
    new = clean.remember("indent python with four spaces")

    def listed(state: str) -> list[str]:
        return [memory["id"] for memory in clean.ask("list", state=state)["memories"]]

    assert (listed("cold"), listed("HOT")) == ([old], [new])
    with pytest.raises(Refusal, match="no state of lifecycle: HOT, WARM, COLD"):
        listed("lukewarm")


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        (20_000, (4, 4, 4)),  # there is room: whole, however long ago it was used
        (130_000, (4, 1, 0)),  # 65 % full: whole, 150 characters, a line
        (170_000, (1, 0, 0)),  # 85 % full: 150 characters, then a line
    ],
)
def test_a_nearly_full_context_gets_summaries_by_state(
    daemon: Daemon, tmp_path: Path, tokens: int, told: tuple[int, ...]
) -> None:
    """By what the agent's own transcript says, and never nothing."""
    detail = " It has one replica, in another zone, that lags ten seconds." * 4
    daemon.remember(FACT + "." + detail, title="Port of the blue whale database: 5432")
    transcript = tmp_path / "transcript.jsonl"
    usage = {"message": {"usage": {"input_tokens": tokens}}, "type": "assistant"}
    transcript.write_text(json.dumps(usage) + "\n", encoding="utf-8")
    texts: list[str] = []

    def readings() -> int:
        return int(daemon.ask("status")["actors"]["pressure"]["readings"])

    for number, days in enumerate((0, 8, 30)):
        aged(daemon, days)
        session = f"s{number}"
        ended = {
            "hook_event_name": "Stop", "session_id": session, "transcript_path": str(transcript),
        }  # fmt: skip
        daemon.hook(bytes([100 + number]) * 16, ended)
        wait_for(lambda: readings() > number, daemon.running)  # noqa: B023 - asked at once
        said = prompt("which port does the blue whale database listen on?", session)
        texts.append(daemon.hook(bytes([number]) * 16, said).decode())

    assert tuple(text.count("lags ten seconds") for text in texts) == told
    assert all("5432" in text for text in texts)


def test_with_extraction_off_nothing_is_learnt_and_events_are_done(make: Make) -> None:
    daemon = make(REVERIE_FEATURES_EXTRACTION="false").start()
    daemon.hook(b"a" * 16, prompt("remember that the staging database is on port 5433"))
    daemon.settled()

    assert daemon.ask("list")["total"] == 0
