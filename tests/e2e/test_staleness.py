"""A memory says when the code that it is about is gone or changed, and keeps it through a move."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Reverie
from tests.patience import PATIENCE
from tests.repositories import git

PAY = "LIMIT = 3\n\n\ndef charge(bill):\n    return bill\n\n\ndef refund(bill):\n    return -bill\n"
TEXT = "The `charge` of src/pay.py never rounds the bill"


@pytest.fixture
def shop(reverie: Reverie) -> Path:
    """A repository with one source file, and the daemon."""
    folder = reverie.folder / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / "src/pay.py").write_text(PAY)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "begin")
    reverie.document("up")
    return folder


def remembered(reverie: Reverie, shop: Path) -> str:
    """The id of a memory about a function, kept by a prompt of a session that is over."""
    reverie.told(
        hook_event_name="UserPromptSubmit", session_id="s1", cwd=str(shop),
        prompt=f"Remember: {TEXT}",
    )  # fmt: skip
    reverie.told(hook_event_name="SessionEnd", session_id="s1", cwd=str(shop))
    reverie.settle()
    (memory,) = reverie.document("list")["memories"]
    return str(memory["id"])


def stale(reverie: Reverie, memory: str) -> str:
    return str(reverie.document("show", memory)["memory"]["stale"])


def shown(reverie: Reverie, memory: str, *, stale: str, path: str) -> Any:
    """What ``show`` says, once it says this of the only file that the memory is about.

    It waits 0.3 s for a look at the files; on a busy machine git takes longer, and the next one
    knows what was seen.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        found = reverie.document("show", memory)
        if (found["memory"]["stale"], found["about"][0]["path"]) == (stale, path):
            return found
        assert time.monotonic() < deadline, found


def listed(reverie: Reverie, expected: str) -> None:
    """Wait until this is what is stored of the only memory; listing looks at no file."""
    deadline = time.monotonic() + PATIENCE
    while reverie.document("list")["memories"][0]["stale"] != expected:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def told(reverie: Reverie, shop: Path, session: str, expected: str) -> str:
    """What a new session's prompt is told, once the files were looked at."""
    reverie.told(
        hook_event_name="SessionStart", session_id=session, source="startup", cwd=str(shop)
    )
    reverie.settle()
    listed(reverie, expected)
    asked = reverie.told(
        hook_event_name="UserPromptSubmit", session_id=session, cwd=str(shop),
        prompt="Does charge in src/pay.py round the bill?",
    )  # fmt: skip
    return asked.stdout.decode()


def test_a_symbol_is_held_changed_moved_and_gone(reverie: Reverie, shop: Path) -> None:
    memory = remembered(reverie, shop)
    about = reverie.document("show", memory)["about"]
    (shop / "src/pay.py").write_text(f"import os\n\n{PAY.replace('-bill', '0 - bill')}")
    edited_elsewhere = stale(reverie, memory)
    git(shop, "commit", "-qam", "elsewhere")
    git(shop, "mv", "src/pay.py", "src/money.py")
    staged = stale(reverie, memory)
    git(shop, "commit", "-q", "-m", "move")
    moved = shown(reverie, memory, stale="", path="src/money.py")
    (shop / "src/money.py").write_text(PAY.replace("return bill\n", "return round(bill)\n"))
    what = "charge in src/money.py"
    changed = shown(reverie, memory, stale=f"{what} changed since", path="src/money.py")
    (shop / "src/money.py").unlink()
    shown(reverie, memory, stale=f"{what} is gone", path="src/money.py")
    git(shop, "checkout", "-q", "src/money.py")
    shown(reverie, memory, stale="", path="src/money.py")

    assert about == [{"path": "src/pay.py", "symbol": "charge", "state": "held"}]
    assert edited_elsewhere == staged == ""
    assert moved["about"] == [{**about[0], "path": "src/money.py"}]
    assert changed["memory"]["stability"] == pytest.approx(
        moved["memory"]["stability"] / 2, abs=1e-5
    )


@pytest.mark.slow
def test_prompt_recall_and_confirmation_tell_of_a_change(reverie: Reverie, shop: Path) -> None:
    memory = remembered(reverie, shop)
    before = told(reverie, shop, "s2", "")
    (shop / "src/pay.py").write_text(PAY.replace("return bill\n", "return round(bill)\n"))
    after = told(reverie, shop, "s3", "charge in src/pay.py changed since")
    (found,) = reverie.document("recall", "--project", str(shop), "round the bill")["results"]
    reverie.run("confirm", memory)
    listed(reverie, "")

    assert TEXT in before
    assert "changed since" not in before
    assert (
        f"{TEXT}. ({memory}: the user, today; stale: charge in src/pay.py changed since)" in after
    )
    assert found["stale"] == "charge in src/pay.py changed since"
    assert stale(reverie, memory) == ""


@pytest.mark.slow
def test_what_its_own_session_edits_does_not_make_a_memory_stale(
    reverie: Reverie, shop: Path
) -> None:
    reverie.told(
        hook_event_name="UserPromptSubmit", session_id="s1", cwd=str(shop),
        prompt=f"Remember: {TEXT}",
    )  # fmt: skip
    reverie.settle()
    (shop / "src/pay.py").write_text(PAY.replace("return bill\n", "return int(bill)\n"))
    reverie.told(
        hook_event_name="PostToolUse", session_id="s1", cwd=str(shop), tool_name="Edit",
        tool_input={
            "file_path": str(shop / "src/pay.py"), "old_string": "return bill",
            "new_string": "return int(bill)",
        },
        tool_response={"filePath": str(shop / "src/pay.py")},
    )  # fmt: skip
    reverie.told(hook_event_name="Stop", session_id="s1", cwd=str(shop))
    reverie.settle()
    listed(reverie, "")
    (memory,) = reverie.document("list")["memories"]
    reverie.told(hook_event_name="SessionEnd", session_id="s1", cwd=str(shop))
    (shop / "src/pay.py").write_text(PAY)

    shown(reverie, str(memory["id"]), stale="charge in src/pay.py changed since", path="src/pay.py")
