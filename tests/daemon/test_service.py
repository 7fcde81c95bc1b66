"""The word to a service that an earlier version wrote."""

import socket
from pathlib import Path

import pytest
import trio

from daemon import conditions
from tests.clock import VIRTUAL_TIME


@VIRTUAL_TIME
@pytest.mark.parametrize("sign", ["", "@"])
async def test_systemd_hears_that_the_daemon_is_ready_and_that_it_lives(
    sign: str, tmp_path: Path
) -> None:
    path = str(tmp_path / "notify")[-100:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path if not sign else "\0" + path)
        environ = {"NOTIFY_SOCKET": sign + path, "WATCHDOG_USEC": "120000000"}
        with trio.move_on_after(100):
            await conditions.report(environ)
        listener.setblocking(False)
        heard = [listener.recv(64) for _ in range(3)]

    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]


@pytest.mark.trio
async def test_a_daemon_that_no_service_started_says_nothing_and_goes_on() -> None:
    await conditions.report({})
    await conditions.report({"NOTIFY_SOCKET": "/nowhere/notify"})
