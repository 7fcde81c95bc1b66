"""Memories about the symbols of a file that an editor has open, as a real daemon finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.answers.about import AT_ONE_PLACE
from tests.daemon.process import Daemon, wait_for
from tests.repositories import git

pytestmark = pytest.mark.slow

PAY = """\
class Card:
    def charge(self):
        return 1


class Cash:
    def charge(self):
        return 2
"""
SHOP = "class Cash:\n    def give_change(self):\n        return 2\n\n\ndef total():\n    return 1\n"
BAR = 0.75  # of the editor's settings


def test_a_memory_stands_at_its_definition_in_the_file_as_the_editor_has_it(
    shared: Daemon, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pay.py").write_text(PAY)
    (tmp_path / "shop.py").write_text("from pay import Cash\n\nCash().charge()\n")
    path, project = str(tmp_path / "pay.py"), str(tmp_path)
    kept = shared.remember("Cash.charge gives change and never rounds.", project=project)
    wait_for(lambda: bool(shared.ask("show", id=kept)["about"]), shared.running)

    (here,) = shared.ask("anchors", path=path, text=PAY)["matches"]
    (edited,) = shared.ask("anchors", path=path, text=PAY.replace("2", "3"))["matches"]
    elsewhere = shared.ask("anchors", path=str(tmp_path / "shop.py"), text=PAY)
    used = shared.ask("match", path=path, text="x = Cash.charge\n")["matches"]
    shared.ask("feedback", id=kept, useful=False, project=project)
    (useless,) = shared.ask("anchors", path=path, text=PAY)["matches"]

    assert (here["id"], PAY[: here["start"]].count("\n"), here["stale"]) == (kept, 6, "")
    assert edited["stale"] == "Cash.charge in pay.py changed since"
    assert elsewhere == {"matches": [], "known": 0}
    assert all(one["score"] < BAR <= here["score"] for one in used)
    assert useless["score"] < BAR


def test_of_many_memories_about_one_symbol_the_newest_stand_there(
    shared: Daemon, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pay.py").write_text(PAY)
    path, project = str(tmp_path / "pay.py"), str(tmp_path)
    texts = [f"Cash.charge never rounds, says rule {n}." for n in range(AT_ONE_PLACE + 4)]
    kept = [shared.ask("remember", text=text, project=project, new=True)["id"] for text in texts]
    wait_for(lambda: all(shared.ask("show", id=one)["about"] for one in kept), shared.running)

    found = shared.ask("anchors", path=path, text=PAY)["matches"]

    assert {one["id"] for one in found} == {*kept[-AT_ONE_PLACE:]}


def test_a_line_that_was_given_stands_there_and_follows_a_move_of_its_file(
    shared: Daemon, tmp_path: Path
) -> None:
    repository(tmp_path)
    path, project, line = str(tmp_path / "pay.py"), str(tmp_path), "        return 2\n"
    given = {"path": path, "number": 8, "text": line}
    kept = shared.ask(
        "remember", text="Change is counted twice.", project=project, line=given, source="editor"
    )["id"]
    wait_for(lambda: bool(shared.ask("show", id=kept)["about"]), shared.running)
    text = shared.ask("show", id=kept)["memory"]["text"]

    (here,) = shared.ask("anchors", path=path, text="# new\n" + PAY)["matches"]
    git(tmp_path, "mv", "pay.py", "money.py")
    shared.ask("open", path=path)
    after = str(tmp_path / "money.py")

    def moved() -> bool:
        return bool(shared.ask("anchors", path=after, text=PAY)["matches"])

    wait_for(moved, shared.running)
    (there,) = shared.ask("anchors", path=after, text=PAY)["matches"]
    assert text == "Change is counted twice. (pay.py:8)"
    assert (here["id"], here["stale"], here["lines"]) == (kept, "", 1)
    assert PAY[there["start"] : there["end"]] == "return 2"
    assert (there["id"], there["stale"]) == (kept, "")


def test_no_line_is_hinted_with_its_own_text(shared: Daemon, tmp_path: Path) -> None:
    repository(tmp_path)
    path, project = str(tmp_path / "pay.py"), str(tmp_path)
    given = {"path": path, "number": 8, "text": "        return 2\n"}
    kept = shared.ask("remember", text="return 2", project=project, line=given)["id"]
    wait_for(lambda: bool(shared.ask("show", id=kept)["about"]), shared.running)

    assert shared.ask("anchors", path=path, text=PAY) == {"matches": [], "known": 1}


def test_what_an_editor_says_of_a_hint_is_kept_for_its_file_and_project(
    shared: Daemon, tmp_path: Path
) -> None:
    repository(tmp_path)
    path, project = str(tmp_path / "pay.py"), str(tmp_path)
    kept = shared.remember("Card.charge is never called twice.", project=project)
    wait_for(lambda: bool(shared.ask("show", id=kept)["about"]), shared.running)

    def score() -> float:
        (found,) = shared.ask("anchors", path=path, text=PAY)["matches"]
        return float(found["score"])

    fresh = score()
    shared.ask("mute-hint", id=kept, path=path)
    muted = score()
    shared.ask("mute-hint", id=kept, path=path, muted=False)
    shared.ask("pin", ids=[kept])
    (back,) = shared.ask("anchors", path=path, text=PAY)["matches"]

    assert (muted < BAR, fresh > BAR, back["score"] > BAR) == (True, True, True)
    assert back["pinned"] is True


def test_a_note_stands_at_the_definition_of_its_symbol_in_its_file(
    shared: Daemon, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("pay.py", "other.py"):
        (tmp_path / name).write_text(SHOP)
    noted(shared, tmp_path, "Coins are dear here.", symbol=["total"], file=["pay.py"])
    noted(shared, tmp_path, "Nobody has pennies.", symbol=["Cash.give_change"])
    noted(shared, tmp_path, "Sums are no cues.", symbol=["total"])
    noted(shared, tmp_path, "Gone long since.", symbol=["refund_all"], file=["pay.py"])

    def hinted(name: str) -> list[tuple[str, int]]:
        found = shared.ask("anchors", path=str(tmp_path / name), text=SHOP)["matches"]
        return sorted((one["text"], SHOP[: one["start"]].count("\n")) for one in found)

    assert hinted("pay.py") == [("Coins are dear here.", 5), ("Nobody has pennies.", 1)]
    assert hinted("other.py") == [("Nobody has pennies.", 1)]


def noted(daemon: Daemon, project: Path, text: str, **cues: list[str]) -> None:
    """A note of a reader, as it comes from another home: with its cues."""
    rows = [{"kind": kind, "text": one} for kind, texts in cues.items() for one in texts]
    read = {"kind": "trap", "said_by": "user", "scope": "when", "session": "s9", "cues": rows}
    row = {"text": text, "title": text, "project": str(project), "id": "m9"}
    daemon.ask("import", rows=[{**row, "read": read}], merge=True)


def repository(folder: Path) -> None:
    """A repository with one file."""
    (folder / "pay.py").write_text(PAY)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "begin")
