"""Whatever arrives, through the real hook client and the real daemon: nothing is lost by it."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from daemon.home import Home
from daemon.launch import own_command
from daemon.lock import TAKEN
from tests.e2e.conftest import HOOK, Reverie
from tests.patience import PATIENCE

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": "/shop"}
BASH = {"hook_event_name": "PostToolUse", "session_id": "s1", "cwd": "/shop", "tool_name": "Bash"}


def packed(event: dict[str, Any]) -> bytes:
    return json.dumps(event).encode()


def printed(text: str) -> bytes:
    """A tool printed this."""
    return packed({**BASH, "tool_input": {"command": "x"}, "tool_response": {"stdout": text}})


BAD = {
    "broken JSON": b'{"hook_event_name": "UserPromptSubmit", "prompt": "' + SECRET.encode(),
    "no object": b"[1, 2]",
    "an unknown event": packed({**PROMPT, "hook_event_name": "Frobnicate"}),
    "no event at all": b"{}",
    "NUL bytes": b'{"hook_event_name": "UserPromptSubmit", "prompt": "a\\u0000b \x00 c"}',
    "bytes that are no UTF-8": b'{"hook_event_name": "UserPromptSubmit", "prompt": "\xff\xfe"}',
    "lone surrogates": b'{"hook_event_name": "Stop", "session_id": "s\\ud800", "cwd": "/\\udfff"}',
    "an empty prompt": packed({**PROMPT, "prompt": ""}),
    "fields of the wrong type": packed({**PROMPT, "session_id": 5, "cwd": [1], "prompt": {}}),
    "numbers beyond all bounds": b'{"hook_event_name": "Stop", "n": 1e999, "m": ' + b"9" * 5000 + b"}",
    "a deep nest": b'{"prompt": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a transcript that is not there": packed({**PROMPT, "prompt": "hello", "transcript_path": "/no"}),
    "a transcript that is a device": packed({**PROMPT, "transcript_path": "/dev/zero"}),
    "a prompt of 100,000 words": packed({**PROMPT, "prompt": "some words and more " * 25_000}),
    "a tool output of 5 MB": printed(f"a line of the log with {SECRET} in it\n" * 70_000),
    "an event of 16 MB": printed("x" * (16 << 20)),
}  # fmt: skip


def sent(reverie: Reverie, raw: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        HOOK, input=raw, env=reverie.environ, capture_output=True, timeout=PATIENCE, check=False
    )


def said_nothing_wrong(done: subprocess.CompletedProcess[bytes]) -> bool:
    """The hook ended well, and printed nothing or one JSON object."""
    whole = not done.stdout or isinstance(json.loads(done.stdout), dict)
    return done.returncode == 0 and not done.stderr and whole


@pytest.mark.parametrize(
    "running", [pytest.param(True, marks=pytest.mark.slow), False], ids=["running", "away"]
)
def test_every_bad_event_arrives_once_and_leaves_no_secret(reverie: Reverie, running: bool) -> None:
    if running:
        reverie.document("up")
    done = [sent(reverie, raw) for raw in BAD.values()]
    reverie.document("up")
    reverie.settle()

    assert all(map(said_nothing_wrong, done))
    assert len(reverie.journal()) == len(BAD)
    assert reverie.files_with(SECRET[:20]) == []
    assert "ERROR" not in reverie.home.log.read_text()


def test_a_client_that_hangs_in_mid_frame_hinders_nobody(reverie: Reverie) -> None:
    reverie.document("up")
    address = reverie.home.address.read_text().strip()
    hanging = [socket.socket(socket.AF_UNIX) for _ in range(20)]
    for client in hanging:
        client.connect(address)
        client.sendall(struct.pack(">I", 1000) + b"\x94\x01")
    done = reverie.told(**PROMPT, prompt="hello")
    journal = reverie.journal()
    for client in hanging:
        client.close()

    assert said_nothing_wrong(done)
    assert [event["kind"] for event in journal] == ["prompt"]


@pytest.mark.slow
def test_a_second_daemon_says_so_and_leaves(reverie: Reverie) -> None:
    first = reverie.document("up")
    reverie.home.starting.touch()  # a hook made it as it started the second one
    second = reverie.run("daemon")

    assert second.returncode == TAKEN
    assert not reverie.home.starting.exists()
    assert second.stderr.count("\n") == 1
    assert str(first["pid"]) in second.stderr
    assert reverie.document("status")["pid"] == first["pid"]


@pytest.mark.slow
def test_a_home_too_deep_for_a_socket_works_all_the_same(reverie: Reverie) -> None:
    deep = reverie.home.root / ("d" * 60) / ("e" * 60)
    at = {**reverie.environ, "REVERIE_HOME": str(deep)}
    there = replace(reverie, home=Home(deep), environ=at)
    try:
        kept = there.run("remember", "the port is 5432")
        found = there.run("recall", "which port")
        done = there.told(**PROMPT, prompt="hello")
        journal = there.journal()
    finally:
        there.run("down")

    assert kept.returncode == 0, kept.stderr
    assert "5432" in found.stdout
    assert said_nothing_wrong(done)
    assert len(journal) == 1


@pytest.mark.slow
def test_a_damaged_database_is_named_and_takes_no_event_that_it_could_lose(
    reverie: Reverie,
) -> None:
    rows = "".join(f'{{"text": "fact {n} {"x" * 400}"}}\n' for n in range(100))
    reverie.run("import", "-", "--no-gate", "--no-embed", stdin=rows)
    reverie.run("down")
    data = bytearray(reverie.home.database.read_bytes())
    for start in range(4096, len(data), 4096):
        if b"x" * 400 in data[start : start + 4096]:
            data[start : start + 4096] = b"\xff" * 4096
    reverie.home.database.write_bytes(data)
    reverie.document("up")
    refused = reverie.run("export")
    done = sent(reverie, packed({**PROMPT, "prompt": "hello"}))
    status = reverie.document("status")
    doctor = reverie.run("doctor")
    remembered = reverie.run("remember", "one more")

    assert any("not a sound database" in line for line in status["degraded"])
    assert (refused.returncode, remembered.returncode, doctor.returncode) == (1, 1, 1)
    assert refused.stderr.count("\n") == 1
    assert "not a sound database" in refused.stderr
    assert "fail  database" in doctor.stdout
    assert said_nothing_wrong(done)
    assert len(list(reverie.home.spool.glob("*.json"))) == 1
    assert "fact 7" not in reverie.home.log.read_text() + refused.stderr + doctor.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("REVERIE_EMBEDDING_ENABLED", "false", "embedding.enabled is false"),
        ("REVERIE_EMBEDDING_MODEL", "/no/such.gguf", "'/no/such.gguf' is not here"),
        pytest.param(
            "REVERIE_EMBEDDING_MODEL",
            "{folder}/wrong.gguf",
            "does not begin with GGUF",
            marks=pytest.mark.skipif(find_spec("llama_cpp") is None, reason="no llama.cpp"),
        ),
    ],
)
def test_without_a_usable_model_the_words_are_searched_and_the_reason_is_said(
    reverie: Reverie, name: str, value: str, reason: str
) -> None:
    (reverie.folder / "wrong.gguf").write_text("no model at all\n" * 1000)
    del reverie.environ["REVERIE_EMBEDDING_ENABLED"]
    reverie.environ[name] = value.format(folder=reverie.folder)
    reverie.run("remember", "the port is 5432")
    reverie.model_judged()
    found = reverie.document("recall", "which port")

    assert [result["text"] for result in found["results"]] == ["the port is 5432"]
    assert found["mode"] == "words"
    if value == "false":
        assert found["degraded"] is None  # what a person switched off is no failure
    else:
        told = found["degraded"]
        assert told["failure_mode"] == "vectors unavailable"
        assert reason in told["line"]
        assert reason in told["line"]
    assert reason in "".join(reverie.document("status")["degraded"])


def test_a_home_that_cannot_be_written_is_named_in_one_line() -> None:
    if os.getuid() == 0:
        pytest.skip("root may write everywhere")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o500)
        done = subprocess.run(
            [*own_command(), "remember", "x"],
            env={**os.environ, "REVERIE_HOME": f"{folder}/home"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert folder in done.stderr
