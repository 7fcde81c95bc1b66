"""The engine ``command``: whatever the program does, an answer or a reason, and nothing is left."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from daemon.engines.clients import command
from daemon.engines.process import Place
from daemon.lock import alive
from tests.engines.conftest import HOSTILE, reason_of
from tests.patience import PATIENCE

Words = Callable[[str], list[str]]
SOON = 0.4  # seconds


async def until(holds: Callable[[], bool]) -> None:
    """Wait for other processes: until this holds."""
    with trio.fail_after(PATIENCE):
        while not holds():  # noqa: ASYNC110 - nobody in this process can tell
            await trio.sleep(0.01)


async def the_pids(tmp_path: Path, count: int) -> list[int]:
    """The processes that wrote down their ids, when there are so many."""
    file = tmp_path / "pids"
    await until(lambda: file.exists() and len(file.read_text().split()) >= count)
    return [int(line) for line in file.read_text().split()]


def parent(pid: int) -> int:
    """The process that started another one."""
    status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return int(status.rpartition(")")[2].split()[1])


async def test_a_right_program_answers(
    place: Place, hostile: Words, request_of_session: Request
) -> None:
    answer = await command(hostile("right"), place)(request_of_session)

    assert isinstance(answer, Answer)
    assert answer.document["stopped"] == "in shop"
    assert answer.tokens > 0
    assert answer.dollars is None


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("null", Reason.EMPTY),
        ("silent", Reason.EMPTY),
        ("limited", Reason.LIMIT),
        ("garbage", Reason.FOREIGN),
        ("nested", Reason.FOREIGN),
        ("list", Reason.FOREIGN),
        ("foreign", Reason.FOREIGN),
        ("huge", Reason.TOO_LONG),
        ("loud", Reason.EMPTY),
        ("dying", Reason.DIED),
    ],
)
async def test_a_bad_answer_is_a_failure_with_its_reason(
    act: str, reason: Reason, place: Place, hostile: Words, request_of_session: Request
) -> None:
    answer = await command(hostile(act), place)(request_of_session)

    assert isinstance(answer, Failed)
    assert answer.reason == reason
    assert answer.tokens > 0  # failed tries count


async def test_a_program_that_is_not_there_costs_nothing(
    place: Place, request_of_session: Request
) -> None:
    answer = await command(["/nowhere/reader"], place)(request_of_session)

    assert answer == Failed(Reason.MISSING)


async def test_a_file_that_is_no_program_is_not_there(
    place: Place, tmp_path: Path, request_of_session: Request
) -> None:
    text = tmp_path / "program"
    text.write_text("no program\n")
    text.chmod(0o700)

    answer = await command([str(text)], place)(request_of_session)

    assert reason_of(answer) == Reason.MISSING


async def test_a_complaint_that_quotes_the_session_is_not_shown(
    place: Place, hostile: Words, request_of_session: Request
) -> None:
    answer = await command(hostile("quoting"), place)(request_of_session)

    assert isinstance(answer, Failed)
    assert answer.detail == "exit 1"


async def test_a_secret_in_a_complaint_is_not_shown(
    place: Place, hostile: Words, request_of_session: Request
) -> None:
    answer = await command(hostile("secret"), place)(request_of_session)

    assert isinstance(answer, Failed)
    assert "ghp_" not in answer.detail
    assert "[REDACTED]" in answer.detail


async def test_a_program_that_reads_nothing_may_answer_all_the_same(
    place: Place, hostile: Words, request_of_session: Request
) -> None:
    large = replace(request_of_session, text="x" * 1_000_000)

    answer = await command(hostile("deaf"), place)(large)

    assert isinstance(answer, Answer)


@pytest.mark.parametrize("act", ["late", "stubborn"])
async def test_a_late_program_is_ended(
    act: str, place: Place, hostile: Words, tmp_path: Path, request_of_session: Request
) -> None:
    answer = await command(hostile(act), place, SOON)(request_of_session)

    assert reason_of(answer) == Reason.LATE
    pids = (tmp_path / "pids").read_text().split()
    assert not [pid for pid in pids if alive(int(pid))]


async def test_what_a_program_forks_ends_with_it(
    place: Place, hostile: Words, tmp_path: Path, request_of_session: Request
) -> None:
    answer = await command(hostile("forking"), place)(request_of_session)

    assert isinstance(answer, Answer)
    pids = await the_pids(tmp_path, 2)
    assert not [pid for pid in pids if alive(pid)]


async def test_a_program_does_not_outlive_its_keeper(
    place: Place, hostile: Words, tmp_path: Path, request_of_session: Request
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(command(hostile("stubborn"), place), request_of_session)
        (pid,) = await the_pids(tmp_path, 1)
        os.kill(parent(pid), signal.SIGKILL)
        await until(lambda: not alive(pid))


@pytest.mark.parametrize("act", ["late", "stubborn"])
async def test_cancelling_ends_every_process(
    act: str, place: Place, hostile: Words, tmp_path: Path, request_of_session: Request
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(command(hostile(act), place), request_of_session)
        (pid,) = await the_pids(tmp_path, 1)
        nursery.cancel_scope.cancel()

    assert not alive(pid)


_ASKS = """
import json, sys, trio
from pathlib import Path
from actors.policy.reader.exchange import Request
from daemon.engines.clients import command
from daemon.engines.process import Place
request = Request("s", "shop", "system", "text", (), {})
trio.run(command(json.loads(sys.argv[2]), Place(Path(sys.argv[1]))), request)
"""


@pytest.mark.parametrize("act", ["stubborn", "forking"])
async def test_no_process_outlives_a_daemon_that_was_killed(
    act: str, hostile: Words, tmp_path: Path
) -> None:
    words = [sys.executable, "-c", _ASKS, str(tmp_path / "run"), json.dumps(hostile(act))]
    daemon = await trio.lowlevel.open_process(
        words, cwd=HOSTILE.parents[2], stdout=subprocess.DEVNULL
    )
    pids = await the_pids(tmp_path, 1 if act == "stubborn" else 2)
    daemon.send_signal(signal.SIGKILL)
    await daemon.wait()

    await until(lambda: not [pid for pid in pids if alive(pid)])
    await until(lambda: not list((tmp_path / "run").rglob("*")))


async def test_a_program_sees_an_empty_folder_and_nothing_of_an_agents_session(
    place: Place, hostile: Words, request_of_session: Request
) -> None:
    of_a_session = {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_CODE_SSE_PORT": "1",
        "CLAUDE_CODE_USE_BEDROCK": "1",
        "ANTHROPIC_MODEL": "large",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": "large",
        "ANTHROPIC_BASE_URL": "http://gateway",
    }
    there = Place(place.root, {**place.environ, **of_a_session})
    there.folder.mkdir(parents=True)
    (there.folder / "left").write_text("by somebody who was killed")

    answer = await command(hostile("seen"), there)(request_of_session)

    assert isinstance(answer, Answer)
    seen = json.loads(str(answer.document["stopped"]))
    assert seen["folder"] == str(there.folder)
    assert seen["files"] == []
    assert seen["environ"] == ["ANTHROPIC_BASE_URL", "CLAUDE_CODE_USE_BEDROCK"]


async def test_a_place_that_cannot_be_made_is_a_failure(
    tmp_path: Path, hostile: Words, request_of_session: Request
) -> None:
    (tmp_path / "run").write_text("a file")

    answer = await command(hostile("right"), Place(tmp_path / "run"))(request_of_session)

    assert reason_of(answer) == Reason.STORE


async def test_nothing_is_left_of_a_run(
    place: Place, hostile: Words, request_of_session: Request
) -> None:
    await command(hostile("right"), place)(request_of_session)

    assert list(place.root.iterdir()) == []


def test_a_place_where_nothing_can_be_removed_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file")

    Place(tmp_path / "run").clear()

    assert (tmp_path / "run").read_text() == "a file"


async def test_two_programs_are_never_there_at_once(
    place: Place, hostile: Words, tmp_path: Path, request_of_session: Request
) -> None:
    answers: list[Answer | Failed] = []

    async def ask(act: str) -> None:
        answers.append(await command(hostile(act), place, SOON)(request_of_session))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask, "late")
        nursery.start_soon(ask, "late")

    assert [one.reason for one in answers if isinstance(one, Failed)] == [Reason.LATE] * 2
