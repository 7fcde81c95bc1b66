"""What a daemon takes until it is ready: counts of what is imported and compiled, never time."""

import subprocess
import sys
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from daemon.gateway import Gateway
from daemon.host import nobody_waits

ROOT = Path(__file__).resolve().parents[2]


def printed(code: str) -> list[str]:
    """The words that an interpreter of its own prints for this code."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_no_pattern_of_the_rules_is_compiled_before_it_is_needed() -> None:
    stated, compiled = map(
        int,
        printed(
            "import daemon.host; from actors.policy.patterns import patterns;"
            "print(len(patterns()), sum('compiled' in vars(one) for one in patterns()))"
        ),
    )

    assert stated > 400
    assert compiled <= 2  # words of the tables are read at the import


def test_few_others_are_compiled_when_the_daemon_is_imported() -> None:
    (compiled,) = map(
        int,
        printed(
            "import re; made = []; compile = re._compiler.compile;"
            "re._compiler.compile = lambda *given: made.append(given) or compile(*given);"
            "import daemon.host; print(len(made))"
        ),
    )

    assert compiled < 160  # 137: of libraries, and of what a hook loads as well


def test_what_only_a_question_or_a_mistake_needs_is_not_imported_before_the_daemon_is_ready() -> (
    None
):
    loaded = set(printed("import sys, daemon.host; print(*sys.modules)"))

    later = {
        "daemon.api.recall",
        "daemon.api.transfer",
        "daemon.engines.choice",
        "http.client",
        "zipfile",
        "difflib",
    }
    assert "daemon.dispatch" in loaded
    assert not loaded & {
        *later,
        "anyio",
        "click",
        "lab",
        "lsp",
        "daemon.commands.group",
        "daemon.client",
    }
    assert len([name for name in loaded if name.startswith("daemon.api.")]) <= 5


@pytest.mark.trio
async def test_what_is_prepared_waits_for_whoever_asks(
    autojump_clock: MockClock,
) -> None:
    async def never(*_: object) -> None:
        raise AssertionError("no frame comes")

    gateway = Gateway(never, bool, frozenset())
    gateway.busy = 1

    with trio.move_on_after(60.0) as waiting:
        await nobody_waits(gateway)
    gateway.busy = 0
    with trio.fail_after(60.0):
        await nobody_waits(gateway)

    assert waiting.cancelled_caught
