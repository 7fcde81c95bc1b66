"""Events of 16 KB that are made to cost: no turn of the loop takes long, every prompt is answered.

A turn is measured by its CPU, not by the clock: the machine may be busy with others.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from daemon.conditions import HELD
from tests.daemon.process import Daemon, Line, prompt
from tests.growth import SEEDS

LENGTH = 16 * 1024
KNOWN = "PaymentClient has a retry budget of 3"
ASKED = "what is the retry budget of the PaymentClient?"
FEW = ("a\n", ";", "\n- ", "a.b.c ", "a b ", "[", "/a/a ", "1.1.", "-", "the word is not a thing ")
"""Those that cost most, of each kind of event."""


def hostile(seed: str, session: str) -> Iterator[dict[str, Any]]:
    """Events of every kind, filled with a seed."""
    text = (seed * (LENGTH // len(seed) + 1))[:LENGTH]
    base = {"session_id": session, "cwd": "/shop"}
    tool = {**base, "hook_event_name": "PostToolUse", "tool_name": "Bash"}
    failed = {**tool, "hook_event_name": "PostToolUseFailure", "error": f"error: {text}"}
    yield prompt(f'remember "see notes.md" {text}', session, "/shop")
    yield prompt(f"we decided that {text} is used now", session, "/shop")
    yield prompt(f"remind me tomorrow to {text}", session, "/shop")
    yield {**tool, "tool_input": {"command": text}, "tool_response": {"stdout": text}}
    yield {**failed, "tool_input": {"command": f"pytest {text}"}}
    yield {**tool, "tool_input": {"command": f"git commit -m '{text}"}}
    yield {**tool, "tool_name": "Edit", "tool_input": {"file_path": "/a.py", "new_string": text}}
    yield {
        **tool,
        "tool_name": "Write",
        "tool_input": {"file_path": f"/{seed}.json", "content": text},
    }
    yield {**tool, "tool_name": text[:500], "tool_input": {text[:3_000]: text}}
    yield {**base, "hook_event_name": "Stop", "last_assistant_message": f"I fixed it: {text}"}
    yield {**base, "hook_event_name": "PostCompact", "compact_summary": f"We decided: {text}"}


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [FEW, SEEDS[::9]], ids=["the dearest", "some of all"])
def test_hostile_events_hold_no_turn_of_the_loop(daemon: Daemon, seeds: tuple[str, ...]) -> None:
    # By a phrase of a person: what many sessions had no use for needs more evidence by likeness.
    daemon.remember(KNOWN, triggers=["retry budget"])
    beside = Beside(daemon)
    with daemon.line() as line, beside:
        for number, seed in enumerate(seeds):
            for kind, event in enumerate(hostile(seed, f"h{number}")):
                line.hook(bytes([1, number, kind]).ljust(16), event)
    daemon.settled()
    loop = daemon.ask("status")["actors"]["loop"]

    assert loop["longest_cpu_ms"] < 1000 * HELD, loop
    # On a busy machine a channel may be late, and its prompt goes without: few do.
    assert len(beside.told) > len(seeds)
    assert sum(KNOWN.encode() in told for told in beside.told) > len(beside.told) // 2
    assert KNOWN.encode() in daemon.hook(b"last".ljust(16), prompt(ASKED, "last", "/shop"))


class Beside:
    """Prompts of other sessions on a line of their own, one after another, as long as the block."""

    def __init__(self, daemon: Daemon) -> None:
        self.told: list[bytes] = []
        self._line: Line = daemon.line()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> Beside:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._line.__exit__()

    def _ask(self) -> None:
        while not self._over.is_set():
            number = len(self.told)
            event_id = (2 << 32 | number).to_bytes(16, "big")
            self.told.append(self._line.hook(event_id, prompt(ASKED, f"p{number}", "/shop")))
