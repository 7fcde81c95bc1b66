"""A place of engines, a request, and the program that does what one should not."""

import os
import sys
from collections.abc import Callable
from inspect import iscoroutinefunction
from pathlib import Path

import pytest

from actors.policy.reader.exchange import Answer, Failed, LivingNote, Reason, Request
from daemon.engines.process import Place

HOSTILE = Path(__file__).with_name("hostile.py")
SCHEMA = {
    "type": "object",
    "properties": {
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"title": {"type": "string"}, "text": {"type": "string"}},
                "required": ["title", "text"],
                "additionalProperties": False,
            },
        },
        "stopped": {"type": "string"},
    },
    "required": ["notes", "stopped"],
    "additionalProperties": False,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run every coroutine of this folder with trio, as ``trio_mode`` would."""
    for item in items:
        function: object = getattr(item, "function", None)
        if item.path.parent == HOSTILE.parent and iscoroutinefunction(function):
            item.add_marker(pytest.mark.trio)


def reason_of(answer: Answer | Failed) -> Reason:
    """Why there is no answer."""
    assert isinstance(answer, Failed)
    return answer.reason


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The place of engines in a home that is a folder of the test."""
    return Place(tmp_path / "run", {"PATH": os.environ["PATH"], "HOME": str(tmp_path)})


@pytest.fixture
def request_of_session() -> Request:
    """A session in which a port was found."""
    return Request(
        session="5d0c",
        project="shop",
        system="Write notes.",
        text="[1] user: which port does the staging database listen on?\n[2] agent: It is 5433.",
        known=(LivingNote("m12", "The shop deploys on Fridays."),),
        schema=SCHEMA,
    )


@pytest.fixture
def hostile(tmp_path: Path) -> Callable[[str], list[str]]:
    """Words that run the hostile program; it writes its process ids to ``pids`` of the test."""

    def words(act: str) -> list[str]:
        return [sys.executable, "-I", str(HOSTILE), act, str(tmp_path / "pids")]

    return words
