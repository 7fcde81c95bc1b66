"""Files that are lost under or between real daemons are said in one line; a daemon backs itself up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from daemon.durability.copies import examined, memories_in
from daemon.durability.marker import read_marker
from tests.daemon.conftest import Make, daemon, make
from tests.daemon.process import Daemon, Refusal, prompt, wait_for

__all__ = ["daemon", "make"]


def marked(daemon: Daemon, memories: int) -> Callable[[], bool]:
    """Whether the marker tells of so many memories."""

    def is_marked() -> bool:
        marker = read_marker(daemon.home)
        return marker is not None and marker.memories == memories

    return is_marked


def said(daemon: Daemon, words: str) -> list[str]:
    """What the daemon says is wrong, as far as it is about this."""
    return [line for line in daemon.ask("status")["degraded"] if words in line]


def test_a_log_that_was_deleted_after_a_kill_is_said_in_one_line(make: Make) -> None:
    one = make().start()
    for number in range(3):
        one.remember(f"the port of server {number} is 540{number}")
    one.end()
    one.start()
    for number in range(3, 6):
        one.remember(f"the port of server {number} is 540{number}")
    wait_for(marked(one, 6), one.running)
    one.kill()
    (one.home.root / "reverie.db-wal").unlink()

    one.start()
    (line,) = said(one, "lacks the last")
    one.hook(b"1" * 16, prompt("which port has server 1?"))
    one.remember("what is new")

    assert "it has 3 memories, and had 6" in line
    assert "\n" not in line
    assert "loss why=" in one.home.log.read_text()
    assert one.ask("status")["memories"] == 4


def test_what_was_removed_under_a_daemon_is_not_acknowledged_and_written_out(make: Make) -> None:
    one = make().start()
    one.remember("the port is 5432")
    one.home.database.unlink()

    with pytest.raises(Refusal, match="was removed while it was open"):
        one.remember("the host is db1")
    lines = said(one, "was removed")
    code, _ = one.end()
    (copy,) = one.home.backups.glob("rescued-*.db")

    assert len(lines) == 1
    assert str(copy) in lines[0]
    assert code == 0
    assert examined(copy).memories == 1


@pytest.mark.slow
def test_a_home_that_was_moved_away_is_not_begun_anew(make: Make) -> None:
    one = make().start()
    one.remember("the port is 5432")
    moved = one.home.root.with_name("moved")
    one.home.root.rename(moved)
    one.running.communicate(timeout=60)
    again = one.fork()
    _, errors = again.communicate(timeout=60)

    assert again.returncode == 1
    assert f"was moved to {moved}, and 1 memory was in it" in errors
    assert errors.count("\n") == 1
    assert memories_in(moved / "reverie.db") == 1
    assert not one.home.database.exists()


def test_a_daemon_whose_log_was_removed_leaves_and_the_next_has_everything(make: Make) -> None:
    one = make().start()
    one.remember("the port is 5432")
    (one.home.root / "reverie.db-wal").unlink()
    one.running.communicate(timeout=60)
    one.start()

    assert one.recall("port") == ["the port is 5432"]
    assert "was removed while it was open" in one.home.log.read_text()
    assert said(one, "lacks") == []
