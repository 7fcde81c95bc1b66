"""``hook.sh`` runs the first client there is, with nothing but the shell."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.hooks.clients import EVENT, RAW, Client, Home, listening, program, replying
from tests.patience import HOOKS


def test_the_recorded_client_gets_the_agent_and_the_folder_of_the_hooks(
    shell: Client, hooks: Path, home: Home
) -> None:
    recorded = program(home.root / "recorded", '#!/bin/sh\nread event\necho "$@" "$event"\n')
    (home.root / "hook-client").write_text(f"{recorded}\n")

    result = shell.run(home, b"the event\n")

    assert result.stdout.decode() == f"claude {hooks} the event\n"


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({"ANTHROPIC_BASE_URL": "https://ada:word@gate.acme.com:8443/v1?k=1"}, "claude@gate.acme.com:8443"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:4000"}, "claude@127.0.0.1:4000"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_BASE_URL": "http://gate"}, "claude@bedrock"),
        ({"CLAUDE_CODE_USE_VERTEX": "true"}, "claude@vertex"),
        ({"CLAUDE_CODE_USE_FOUNDRY": "1"}, "claude@foundry"),
        ({"CLAUDE_CODE_USE_BEDROCK": "0", "ANTHROPIC_BASE_URL": ""}, "claude"),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, "claude"),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-py"}, "claude@!sdk-py"),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-ts", "ANTHROPIC_BASE_URL": "http://gate"}, "claude@gate!sdk-ts"),
        ({"CLAUDE_CODE_ENTRYPOINT": "a b;c"}, "claude"),
    ],
)  # fmt: skip
def test_where_the_clients_model_is_asked_and_what_runs_it_comes_with_the_agents_name(
    environ: dict[str, str], name: str, shell: Client, home: Home
) -> None:
    recorded = program(home.root / "recorded", '#!/bin/sh\necho "$1"\n')
    (home.root / "hook-client").write_text(f"{recorded}\n")

    result = shell.run(home, RAW, **environ)

    assert result.stdout.decode() == f"{name}\n"


def test_an_event_that_is_spooled_keeps_where_the_clients_model_is_asked(
    shell: Client, home: Home
) -> None:
    (home.root / "hook-client").write_text(f"{sys.executable}\n")

    shell.run(home, CLAUDE_CODE_USE_BEDROCK="1")

    (kept,) = home.spooled()
    assert kept["agent"] == "claude"
    assert kept["event"] == {**EVENT, "model_endpoint": "bedrock"}


def test_a_recorded_interpreter_runs_the_python_client(shell: Client, home: Home) -> None:
    (home.root / "hook-client").write_text(f"{sys.executable}\n")

    with listening(home, replying(b"{}")):
        result = shell.run(home)

    assert result.stdout == b"{}"


@pytest.mark.parametrize("content", [None, "\x7fELF of another machine", "#!/no/interpreter\n"])
def test_a_recorded_client_that_cannot_run_is_passed_over(
    shell: Client, home: Home, content: str | None
) -> None:
    recorded = home.root / "recorded"
    if content is not None:
        program(recorded, content)
    (home.root / "hook-client").write_text(f"{recorded}\n")

    with listening(home, replying(b"{}")):
        result = shell.run(home)

    assert (result.returncode, result.stdout, result.stderr) == (0, b"{}", b"")


def test_a_native_client_that_reaches_nobody_hands_over_to_python(
    shell: Client, native: Client, home: Home
) -> None:
    (home.root / "hook-client").write_text(native.before[0] + "\n")

    result = shell.run(home)

    assert (result.returncode, result.stdout) == (0, b"")
    assert [kept["event"] for kept in home.spooled()] == [EVENT]


def test_the_exit_status_of_a_recorded_client_never_blocks_a_prompt(
    shell: Client, home: Home
) -> None:
    recorded = program(home.root / "recorded", "#!/bin/sh\nexit 2\n")
    (home.root / "hook-client").write_text(f"{recorded}\n")

    assert shell.run(home).returncode == 0


def test_only_the_shell_itself_is_needed_to_find_the_client(shell: Client, home: Home) -> None:
    with listening(home, replying(b"{}")):
        result = shell.run(home, PATH="/nonexistent")

    assert (result.stdout, result.stderr) == (b"{}", b"")


def test_without_any_client_nothing_happens(home: Home, tmp_path: Path) -> None:
    script = tmp_path / "hooks" / "hook.sh"
    script.parent.mkdir()
    shutil.copy(HOOKS / "hook.sh", script)

    result = Client("alone", ("/bin/sh", str(script))).run(home)

    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_without_an_agents_name_nothing_happens(home: Home) -> None:
    result = Client("nameless", ("/bin/sh", str(HOOKS / "hook.sh"))).run(home)
    nameless = Client("nameless", ("/bin/sh", str(HOOKS / "hook.sh"), ""))

    assert result.returncode == 0
    assert nameless.run(home).returncode == 0
