"""The walks of ARCHITECTURE.md, taken: a prompt and the end of a turn pass through every step that they name.

The hook's client, socket, gateway, actors and store are those of the product, in one process; each first call
of a function of ours is noted. A numbered step is called after the one before it, what stands below it somewhere.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from actors.policy.text.chunking import QUERY, condensed
from daemon.assembly import Projects, Surroundings
from daemon.context import Changes
from daemon.dispatch import HOOKS, answer, is_slow
from daemon.files import DiskFiles, SpoolFolder
from daemon.gateway import Gateway, listening
from daemon.home import Home
from daemon.host import Running, running_actors
from daemon.settings import Injection, Settings
from daemon.sources import ProjectSources
from daemon.storage.store import open_store
from daemon.supervisor import Here
from daemon.times import WallClock
from daemon.wire import Frame
from hooks import delivery, ownership
from lab.world import open_inline
from tests.actors.fakes import TableEmbedding
from tests.patience import PATIENCE

ROOT: Final = Path(__file__).resolve().parents[2]
NUMBER, BULLET = r"\d+\.", "-"
PAGE: Final = ROOT / "ARCHITECTURE.md"
FACT: Final = "The staging database listens on port 5433."
PROMPT: Final = {
    "hook_event_name": "UserPromptSubmit",
    "prompt": "Which port does the staging database listen on?",
}
DOCUMENT: Final = """# Cache

## Decisions

- We decided that the cache holds 500 entries, because more did not help.
"""
END: Final = {"hook_event_name": "Stop", "last_assistant_message": "The cache is written down."}

# The vectors of the fact and of the prompt that asks for it: near each other.
NEAR: Final = {
    FACT: (1.0, 0.0),
    condensed(str(PROMPT["prompt"]), limit=QUERY): (0.9, 0.436),
}

Step: TypeAlias = tuple[str, str]
"""A file of the repository, and the qualified name of a function in it."""


class Calls:
    """First calls of functions of ours, in their order, on every thread that notes them."""

    def __init__(self) -> None:
        self.steps: dict[Step, None] = {}
        self._seen: set[CodeType] = set()

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call; the profiler calls this."""
        code = frame.f_code
        if event == "call" and code not in self._seen:
            self._seen.add(code)
            path = Path(code.co_filename)
            if path.is_relative_to(ROOT) and ".venv" not in path.parts:
                self.steps[path.relative_to(ROOT).as_posix(), code.co_qualname] = None

    @contextmanager
    def noted(self) -> Generator[None]:
        """Note the calls of this thread."""
        before = sys.getprofile()
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(before)


def steps_of(title: str, mark: str) -> list[Step]:
    """Steps below a heading of ARCHITECTURE.md whose line begins with this mark."""
    section = PAGE.read_text("utf-8").partition(f" {title}\n")[2].partition("\n## ")[0]
    named = re.findall(rf"^ *{mark} `([\w/.]+)` `([\w.]+)`", section, re.MULTILINE)
    return [(file, function) for file, function in named]


def delivered(home: Home, number: int, said: dict[str, Any], calls: Calls) -> bytes:
    """Bytes that the hook's client would print; runs on a thread, as the client is a process."""
    raw = json.dumps({"session_id": "s1", "cwd": str(home.root.parent), **said}).encode()
    event = delivery.Event("claude", number.to_bytes(16, "big"), 10**18, raw, len(raw))
    with calls.noted():
        address = delivery.address_of(bytes(home.root), ownership)
        frame = delivery.framed(event)
        return delivery.acknowledged(address, frame, monotonic() + PATIENCE, ownership)


async def passed(home: Home, events: list[dict[str, Any]]) -> list[Step]:
    """First calls while the last of these events is heard, answered and worked through."""
    here, calls = Here(), Calls()
    settings = Settings(injection=Injection(deadline=PATIENCE))
    async with open_store(home, connect=open_inline) as store, trio.open_nursery() as nursery:
        surroundings = Surroundings(
            store, settings, WallClock(), TableEmbedding(NEAR), DiskFiles(here),
            SpoolFolder(here, home.spool), Changes(), Projects({}), sources=ProjectSources(here),
        )  # fmt: skip
        async with running_actors(home, surroundings, nursery) as running:
            await remembered(running)
            with listening(home, PATIENCE) as listener:
                gateway = Gateway(partial(answer, running.parts), is_slow, frozenset(HOOKS))
                nursery.start_soon(gateway.serve, listener)
                for number, event in enumerate(events):
                    calls = Calls()
                    with calls.noted():
                        await trio.to_thread.run_sync(delivered, home, number, event, calls)
                        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return [*calls.steps]


async def remembered(running: Running) -> None:
    """Remember the fact; wait until its vectors are there."""

    async def send(_: Frame) -> None:
        await trio.lowlevel.checkpoint()

    await answer(running.parts, Frame(1, "remember", {"text": FACT}), send)
    await wait_all_tasks_blocked()


@pytest.fixture
def written(home: Home) -> dict[str, Any]:
    """A document that the agent has written into its project."""
    path = home.root.parent / "docs" / "cache.md"
    path.parent.mkdir()
    path.write_text(DOCUMENT, "utf-8")
    return {
        "hook_event_name": "PostToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(path), "content": DOCUMENT},
        "tool_response": {"filePath": str(path)},
    }


# A hook's process ends after its answer, and closes nothing.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
@pytest.mark.trio
@pytest.mark.parametrize(
    ("title", "is_end"), [("Walk: a prompt", False), ("Walk: the end of a turn", True)]
)
async def test_every_step_of_a_walk_is_taken_in_its_order(
    home: Home, written: dict[str, Any], title: str, is_end: bool
) -> None:
    calls = await passed(home, [PROMPT, written, END] if is_end else [PROMPT])

    numbered, below = steps_of(title, NUMBER), steps_of(title, BULLET)
    assert len(numbered) > 20
    assert [step for step in (*numbered, *below) if step not in calls] == []
    assert numbered == sorted(numbered, key=calls.index)


def test_the_page_of_the_walks_is_read_in_ten_minutes() -> None:
    lines = PAGE.read_text("utf-8").splitlines()

    assert len(lines) <= 300
    assert max(map(len, lines)) <= 120
