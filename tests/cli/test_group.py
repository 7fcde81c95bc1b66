"""The entry point: help without imports, exit codes, the daemon before click."""

from __future__ import annotations

import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from daemon import api, cli
from daemon.api.memories import List
from daemon.api.recall import Recall
from daemon.api.show import Show
from daemon.api.status import Greet, Status
from daemon.commands.group import HELP, retired, reverie, topics
from daemon.commands.terminal import failure
from daemon.home import Home
from daemon.launch import own_command
from daemon.shapes.replies import Problem
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def program(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*own_command(), *arguments], input=stdin, capture_output=True, text=True, check=False
    )


def loaded_by(code: str) -> set[str]:
    """The modules that a program names on standard error at its end, in an interpreter of its own."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def modules_after(*arguments: str) -> set[str]:
    """The modules that are loaded when one command has run."""
    return loaded_by(
        f"from daemon.cli import run; run({list(arguments)!r});"
        " sys.stdout = sys.__stderr__; print(*sys.modules)"
    )


def test_an_operation_without_a_place_in_the_help_stands_under_more() -> None:
    assert topics(["recall", "a new one", "new"])["More"] == ["new"]
    assert "More" not in topics(["recall", "plans", "plans show"])


def test_help_imports_no_command() -> None:
    loaded = modules_after("--help")

    ours = {name for name in loaded if name.startswith(("daemon.", "actors", "lsp"))}
    assert ours == {"daemon.cli", "daemon.commands", "daemon.commands.group"}
    assert not loaded & {"anyio", "trio", "numpy", "apsw", "msgspec", "asyncio"}


@pytest.mark.parametrize(
    ("command", "module"),
    [("redact", "daemon.commands.local.privacy"), ("pin", "daemon.api.opinions")],
)
def test_a_command_imports_neither_trio_nor_the_others(
    home: Home, command: str, module: str
) -> None:
    loaded = modules_after(command, "--help")

    assert module in loaded
    assert not loaded & {
        "trio",
        "numpy",
        "apsw",
        "actors.core.mailbox",
        "daemon.commands.local.recall",
    }


def test_what_is_declared_is_light_for_those_who_ask_and_for_the_daemon() -> None:
    subjects = [one.name for one in pkgutil.iter_modules(api.__path__)]
    loaded = loaded_by(
        f"from daemon.api import {', '.join(subjects)}; print(*sys.modules, file=sys.stderr)"
    )

    assert {f"daemon.api.{name}" for name in subjects} <= loaded
    assert not loaded & {"click", "trio", "anyio", "numpy", "apsw", "tomllib", "daemon.context"}
    inside = {one for one in loaded if one.startswith("actors.") and ".policy" not in one}
    assert inside == {
        "actors.memory",
        "actors.memory.particulars",
    }  # the shape of a memory has these


@pytest.mark.parametrize("line", ["list", "show m1", "recall x", "recall x --json", "status"])
def test_a_command_asks_without_an_event_loop(daemon: FakeDaemon, line: str) -> None:
    for asked in (List, Show, Recall, Status):
        daemon.reply(asked, Problem(code="busy", message="come back later"))

    loaded = modules_after(*line.split())

    assert type(daemon.asked[-1]) is not Greet
    assert not loaded & {
        "anyio",
        "asyncio",
        "ssl",
        "concurrent.futures",
        "logging",
        "daemon.client",
    }
    assert len(loaded) < 240  # 231, of which a bare interpreter has 33


@pytest.mark.parametrize(("command", "module"), [("status", "processes"), ("install", "install")])
def test_to_ask_how_the_daemon_is_or_how_to_connect_imports_no_actor(
    command: str, module: str
) -> None:
    loaded = modules_after(command, "--help")

    assert f"daemon.commands.local.{module}" in loaded
    assert not loaded & {"daemon.settings", "actors.policy.text", "numpy"}


def test_the_daemon_is_recognised_before_click_is_loaded() -> None:
    loaded = loaded_by(
        "import types, daemon; fake = types.ModuleType('daemon.main');"
        " fake.main = lambda: print(*sys.modules, file=sys.stderr);"
        " sys.modules['daemon.main'] = fake;"
        " sys.argv = ['reverie', 'daemon']; from daemon.cli import main; main()"
    )

    assert "daemon.cli" in loaded
    assert not loaded & {"click", "trio", "anyio", "asyncio", "typing"}


def test_each_line_of_the_help_is_the_commands_own() -> None:
    commands = {name: reverie.get_command(click.Context(reverie), name) for name in HELP}
    own = {
        name: (command.name, (command.help or "").split("\n")[0])
        for name, command in commands.items()
        if command is not None
    }

    assert own == {name: (name, line) for name, line in HELP.items()}


@pytest.mark.parametrize(
    "arguments",
    [["recal", "x"], ["--nonsense"], ["recall"], ["recall", "x", "-k", "0"], ["remember"], []],
)
def test_wrong_usage_is_exit_code_2_and_prints_nothing(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.run(arguments)

    printed = capsys.readouterr()
    assert code == failure.WRONG_USAGE
    assert printed.out == ""
    assert printed.err


def completed(line: str) -> list[str]:
    """Words that bash is told for a line before whose end Tab was pressed."""
    words = line.split(" ")
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from daemon.cli import run; run([]);"
        " assert 'daemon.commands.local.privacy' not in sys.modules"
    )
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | asked | {"_REVERIE_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [word.removeprefix("plain,") for word in done.stdout.split()]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param("reverie res", ["resume"], id="a command, of which none is imported"),
        pytest.param("reverie pin --o", ["--off"], id="an option of an operation"),
        pytest.param("reverie session res", ["resume"], id="an operation of a group"),
        pytest.param("reverie useless m1 --suppress --t", ["--take-back"], id="behind others"),
        pytest.param("reverie why m1 --to m2 --js", ["--json"], id="behind one that is gone"),
        pytest.param("reverie optimize --x", [], id="of a command that is gone"),
        pytest.param("reverie about pay", ["file,pay"], id="a file, which the shell looks for"),
    ],
)
def test_tab_completes_a_line(line: str, words: list[str]) -> None:
    assert completed(line) == words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(run: Run, shell: str) -> None:
    done = run("--completions", shell)

    assert done.exit_code == 0
    assert f"_REVERIE_COMPLETE={shell}_complete" in done.stdout


@pytest.mark.parametrize(
    "line",
    [["why", "m1", "--to", "m2"], ["why", "m1", "--to=m2"], ["about", "pay.py", "--explain"]],
)
def test_an_option_of_the_version_before_says_in_one_line_what_to_use(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    option = line[2].partition("=")[0]

    code = cli.run(line)

    assert code == failure.WRONG_USAGE
    assert capsys.readouterr().err == (
        f"reverie: '{line[0]} {option}' is gone: {retired()[f'{line[0]} {option}']}.\n"
    )


@pytest.mark.parametrize("name", [one for one in retired() if " " not in one])
def test_a_retired_command_says_in_one_line_what_to_use_instead(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([name, "life.jsonl"]) == failure.WRONG_USAGE
    assert capsys.readouterr().err == f"reverie: {name!r} is gone: {retired()[name]}.\n"


def test_what_a_retired_command_is_replaced_by_is_there() -> None:
    named = re.findall(r"'reverie (\w+)", " ".join(retired().values()))

    assert set(named) <= HELP.keys()
    assert retired().keys().isdisjoint(HELP)


def test_a_failure_is_exit_code_1_and_one_line(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.run(["import", "/nowhere/rows.jsonl"])

    printed = capsys.readouterr()
    assert code == failure.FAILED
    assert printed.out == ""
    assert printed.err == "reverie: /nowhere/rows.jsonl: No such file or directory\n"


def test_ctrl_c_is_exit_code_130_without_a_traceback(home: Home, daemon: FakeDaemon) -> None:
    waiting = subprocess.Popen(
        [*own_command(), "recall", "x"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell that runs the tests in the background has them ignore SIGINT.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )

    def interrupt(_request: object, _say: object) -> None:
        waiting.send_signal(signal.SIGINT)
        waiting.wait()

    daemon.answers[Recall] = interrupt
    out, err = waiting.communicate(timeout=PATIENCE)

    assert waiting.returncode == failure.INTERRUPTED
    assert out == b""
    assert err.strip() == b""


def test_a_reader_that_leaves_early_is_no_traceback(home: Home) -> None:
    text = "word " * 200_000
    reading = subprocess.Popen(
        [*own_command(), "redact"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert reading.stdin
    assert reading.stdout
    assert reading.stderr
    reading.stdout.close()
    reading.stdin.write(text.encode())
    reading.stdin.close()

    with reading.stderr:
        complaint = reading.stderr.read()
    reading.wait()

    assert b"Traceback" not in complaint


def test_the_hook_command_behaves_like_the_hook(home: Home) -> None:
    event = json.dumps({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "hi"})
    home.prepare()
    home.starting.touch()  # nobody starts a daemon in this test

    done = program("hook", "claude", stdin=event)

    assert done.returncode == 0
    assert done.stdout == ""
    assert len(list(home.spool.glob("*.json"))) == 1
