"""The hook's promises, held by each client as a real process against a real socket."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import msgpack
import pytest

from actors.policy.secrets.redaction import redacted
from actors.policy.secrets.secret_commands import masked
from daemon.home import current_home
from daemon.wire import Frame, encoded
from hooks import delivery
from hooks.spool import REDACTION
from tests.hooks.clients import EVENT, RAW, Client, Home, Listener, listening, replying
from tests.patience import HOOKS, ROOT
from tests.policy.secrets.test_secret_commands import HARMLESS, READING

CONTEXT = json.dumps({"hookSpecificOutput": {"additionalContext": "héllo"}}).encode()


def slowly(frame: Frame) -> bytes:
    """The reply after twice the time that a hook waits by itself."""
    time.sleep(0.22)
    return replying(CONTEXT)(frame)


# ---- The daemon answers ------------------------------------------------------------


@pytest.mark.parametrize("output", [CONTEXT, b"", b"x" * 300, b"y" * 70_000])
def test_the_reply_is_printed_byte_for_byte(client: Client, home: Home, output: bytes) -> None:
    with listening(home, replying(output)):
        result = client.run(home)

    assert (result.returncode, result.stdout, result.stderr) == (0, output, b"")
    assert home.spooled() == []


def test_the_frame_holds_agent_event_id_time_and_the_raw_event(client: Client, home: Home) -> None:
    with listening(home, replying(b"")) as daemon:
        client.run(home)
        client.run(home)

    (agent, first, at, raw), (_, second, later, _) = (frame.body for frame in daemon.frames)
    assert {(frame.id, frame.kind) for frame in daemon.frames} == {(0, "hook")}
    assert (agent, raw) == ("claude", RAW)
    assert len(first) == len(second) == 16
    assert first != second
    assert 1_700_000_000 * 10**9 < at < later


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b'{"prompt":"' + b"a" * 5_000_000 + b'"}', id="5 MB"),
        pytest.param(b'{"prompt":"\xff\xfe"}', id="invalid UTF-8"),
        pytest.param(b'{"prompt":"a\x00b"}', id="NUL"),
        pytest.param(b"not JSON", id="not JSON"),
    ],
)
def test_what_the_agent_sends_arrives_unchanged(client: Client, home: Home, raw: bytes) -> None:
    with listening(home, replying(b"{}")) as daemon:
        result = client.run(home, raw)

    assert (result.returncode, result.stdout) == (0, b"{}")
    assert daemon.frames[0].body[3] == raw


def test_of_an_event_over_15_mib_only_the_size_is_sent(client: Client, home: Home) -> None:
    raw = b"x" * (15 * 1024 * 1024 + 1)

    with listening(home, replying(b"{}")) as daemon:
        result = client.run(home, raw)

    assert (result.returncode, result.stdout) == (0, b"{}")
    assert daemon.frames[0].kind == "oversize"
    assert (daemon.frames[0].body[0], daemon.frames[0].body[3]) == ("claude", len(raw))


def test_an_empty_standard_input_prints_and_sends_nothing(client: Client, home: Home) -> None:
    with listening(home, replying(b"{}")) as daemon:
        result = client.run(home, b"")

    assert (result.returncode, result.stdout, daemon.frames) == (0, b"", [])
    assert home.spooled() == []


def test_a_closed_standard_input_disturbs_nobody(client: Client, home: Home) -> None:
    result = client.run(home, shell='exec "$@" <&-')

    assert (result.returncode, result.stdout) == (0, b"")


# ---- The daemon does not answer -----------------------------------------------------


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


NO_REPLIES = {
    "half": encoded(Frame(0, "reply", CONTEXT))[:-3],
    "an error": encoded(Frame(0, "error", {"code": "broken", "message": "a bug"})),
    "garbled": b"HTTP/1.1 200 OK\r\n\r\n{}",
    "too long": b"\x7f\xff\xff\xff" + b"x" * 100,
    "another id": encoded(Frame(7, "reply", CONTEXT)),
    "another version": framed(msgpack.packb([2, 0, "reply", CONTEXT])),
    "no bytes": encoded(Frame(0, "reply", {"text": "a map"})),
    "a wrong size": framed(b"\x94\x01\x00\xa5reply\xc4\x05abc"),
    "closed": b"",
}


@pytest.mark.parametrize("answer", NO_REPLIES.values(), ids=NO_REPLIES)
def test_without_a_valid_reply_nothing_is_printed_and_the_event_is_spooled(
    client: Client, home: Home, answer: bytes
) -> None:
    with listening(home, lambda _: answer) as daemon:
        result = client.run(home)

    assert_spooled_under_the_same_id(home, daemon, result)


def test_a_daemon_that_hangs_is_not_waited_for(hurried: Client, home: Home) -> None:
    assert_spooled_under_the_same_id(home, *hung_up(hurried, home))


@pytest.mark.parametrize("budget", ["", "soon", "-1", "0", "1", "9" * 19, "9" * 4000])
def test_a_daemon_that_hangs_is_not_waited_for_whatever_it_asked_for(
    hurried: Client, home: Home, budget: str
) -> None:
    (home.root / "hook-budget").write_text(f"{budget}\n")

    assert_spooled_under_the_same_id(home, *hung_up(hurried, home))


def test_a_daemon_that_asks_for_more_time_is_given_it(hurried: Client, home: Home) -> None:
    (home.root / "hook-budget").write_text("790\n")
    for _ in range(20):
        with listening(home, slowly):
            result = hurried.run(home)
        if not home.spool.exists():
            assert (result.returncode, result.stdout) == (0, CONTEXT)
            return
        shutil.rmtree(home.spool)  # a busy machine took all of the time by itself
    raise AssertionError("it never waited long enough")


def hung_up(client: Client, home: Home) -> tuple[Listener, subprocess.CompletedProcess[bytes]]:
    """What somebody heard who never answers, and how the hook ended."""
    for _ in range(20):
        with listening(home, lambda _: None) as daemon:
            result = client.run(home)
        if daemon.frames:
            return daemon, result
        shutil.rmtree(home.spool)  # on a busy machine it gave up before it had sent anything
    raise AssertionError("nothing was ever sent")


def assert_spooled_under_the_same_id(
    home: Home, daemon: Listener, result: subprocess.CompletedProcess[bytes]
) -> None:
    (kept,) = home.spooled()
    assert (result.returncode, result.stdout) == (0, b"")
    assert kept["event_id"] == daemon.frames[0].body[1].hex()  # so that it counts once
    assert kept["at"] == daemon.frames[0].body[2]
    assert (kept["v"], kept["agent"], kept["event"]) == (1, "claude", EVENT)
    assert home.starts() == []
    assert not (home.root / "starting").exists()


@pytest.mark.parametrize("address", [None, "", "/nowhere/daemon.sock\n", "/" + "x" * 200 + "\n"])
def test_when_nobody_listens_the_event_is_spooled_and_the_daemon_started(
    client: Client, home: Home, address: str | None
) -> None:
    if address is not None:
        (home.root / "address").write_text(address)

    result = client.run(home)

    (kept,) = home.spooled()
    assert (result.returncode, result.stdout) == (0, b"")
    assert kept["event"] == EVENT
    assert (home.root / "starting").exists()


def test_a_socket_file_that_a_killed_daemon_left_counts_as_nobody(
    client: Client, home: Home
) -> None:
    with listening(home, replying(b"")):
        pass

    client.run(home)

    assert len(home.spooled()) == 1
    assert (home.root / "starting").exists()


def test_5_mb_reach_the_spool_cut_to_both_ends(client: Client, home: Home) -> None:
    raw = json.dumps({**EVENT, "prompt": "first " + "word " * 1_000_000 + "last"}).encode()

    client.run(home, raw)

    (kept,) = home.spooled()
    prompt = kept["event"]["prompt"]
    assert prompt.startswith("first word")
    assert prompt.endswith("word last")
    assert len(prompt) < 17_000


def test_an_event_over_15_mib_is_spooled_as_its_size(client: Client, home: Home) -> None:
    client.run(home, b"x" * (15 * 1024 * 1024 + 5))

    (kept,) = home.spooled()
    assert kept["event"] == {"size": 15 * 1024 * 1024 + 5, "withheld": True}


@pytest.mark.parametrize("below", ["a file", "a file/home"])
def test_a_home_that_cannot_be_written_is_left_alone(
    client: Client, home: Home, below: str
) -> None:
    (home.root / "a file").write_text("in the way")

    result = client.run(home, REVERIE_HOME=str(home.root / below))

    assert (result.returncode, result.stdout) == (0, b"")


def test_a_full_disk_leaves_nothing_half_written(client: Client, home: Home) -> None:
    result = client.run(home, shell='ulimit -f 0; exec "$@"')

    assert (result.returncode, result.stdout) == (0, b"")
    assert list(home.spool.iterdir()) == []


# ---- The rules that every part must agree on ----------------------------------------


@pytest.mark.parametrize(
    "environ",
    [
        {"REVERIE_HOME": "/somewhere"},
        {"REVERIE_HOME": "~/memory"},
        {"REVERIE_HOME": "relative"},
        {"REVERIE_HOME": "", "XDG_DATA_HOME": "/data"},
        {"XDG_DATA_HOME": "relative"},
        {"XDG_DATA_HOME": ""},
        {"HOME": ""},
        {},
    ],
)
def test_the_data_home_is_the_one_that_the_daemon_takes(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REVERIE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    found = delivery.data_home(dict(os.environb))

    assert os.fsdecode(found) == str(current_home().root)


def test_each_client_finds_the_home_below_the_users_data_folder(
    client: Client, home: Home, tmp_path: Path
) -> None:
    shared = tmp_path / "data"
    shared.mkdir()
    home.root.rename(shared / "reverie")
    moved = Home(shared / "reverie")

    with listening(moved, replying(b"{}")):
        result = client.run(moved, REVERIE_HOME="", XDG_DATA_HOME=str(shared))

    assert result.stdout == b"{}"


def test_a_home_with_a_tilde_is_understood_by_each_client(client: Client, home: Home) -> None:
    with listening(home, replying(b"{}")):
        result = client.run(home, REVERIE_HOME="~/home", HOME=str(home.root.parent))

    assert result.stdout == b"{}"


LOADED = """
import sys
before = set(sys.modules)
space = {"__name__": "hook", "__file__": sys.argv[1]}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), space)
space["sibling"]("delivery").run(["claude"], space["sibling"])
print("", *sorted(name for name in set(sys.modules) - before if not name.startswith("importlib")))
"""


def test_the_live_path_loads_nothing_but_the_import_machinery_and_the_socket(
    hooks: Path, home: Home
) -> None:
    with listening(home, replying(b"{}")):
        result = subprocess.run(
            [sys.executable, "-I", "-S", "-c", LOADED, str(hooks / "hook.py")],
            input=RAW,
            env=home.environ,
            capture_output=True,
            check=True,
        )

    assert result.stdout == b"{} _socket\n"


def old_python() -> str | None:
    """An interpreter of version 3.8, if this machine has one."""
    kept = sorted(Path.home().glob(".pyenv/versions/3.8*/bin/python"))
    return str(kept[0]) if kept else shutil.which("python3.8")


@pytest.mark.parametrize("name", ["hook.py", "delivery.py", "spool.py", "start.py", "ownership.py"])
def test_the_hook_is_written_in_python_3_8(name: str) -> None:
    source = (HOOKS / name).read_text()

    ast.parse(source, feature_version=(3, 8))


POLICY = ROOT / "actors" / "policy"
BY_PATH = (
    *(f"secrets.{name}" for name in REDACTION), "secrets.redaction", "events.command_lines",
    "secrets.secret_commands",
    "events.switch", "events.agents", "events.cutting",
)  # fmt: skip


@pytest.mark.parametrize("name", BY_PATH)
def test_what_the_hook_loads_of_the_policy_is_written_in_python_3_8(name: str) -> None:
    path = POLICY.joinpath(*name.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(), feature_version=(3, 8))
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    assert not called & {"removeprefix", "removesuffix", "pairwise"}
    ours = {f"actors.policy.{one}" for one in BY_PATH}
    assert imported <= ours | {
        "__future__",
        "json",
        "re",
        "binascii",
        "functools",
        "itertools",
        "typing",
        "collections.abc",
    }


@pytest.mark.skipif(old_python() is None, reason="no Python 3.8 on this machine")
def test_the_policy_judges_on_python_3_8_as_it_does_here() -> None:
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); from hooks import spool;"
        " redact, mask = spool._policy();"
        " lines = json.load(sys.stdin);"
        " print(json.dumps([[mask({'tool_input': {'command': line}, 'output': 'x y'}),"
        " redact(line)[0]] for line in lines]))"
    )
    lines = [*READING, *HARMLESS]

    old = subprocess.run(
        [old_python() or "", "-I", "-S", "-c", code, str(ROOT)],
        input=json.dumps(lines).encode(),
        capture_output=True,
        check=True,
    )

    assert json.loads(old.stdout) == [
        [masked({"tool_input": {"command": line}, "output": "x y"}), redacted(line)[0]]
        for line in lines
    ]


@pytest.mark.skipif(old_python() is None, reason="no Python 3.8 on this machine")
def test_the_hook_runs_on_python_3_8(hooks: Path, home: Home) -> None:
    old = Client("3.8", (old_python() or "", "-I", "-S", str(hooks / "hook.py")))

    spooled = old.run(home)
    with listening(home, replying(CONTEXT)):
        answered = old.run(home)

    assert (spooled.returncode, spooled.stdout) == (0, b"")
    assert (answered.returncode, answered.stdout) == (0, CONTEXT)
    assert [kept["event"] for kept in home.spooled()] == [EVENT]
    assert (home.root / "starting").exists()
