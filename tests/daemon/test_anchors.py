"""Memories about the symbols of a file that an editor has open, as a real daemon finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.daemon.process import Daemon, wait_for

pytestmark = pytest.mark.slow

PAY = """\
class Card:
    def charge(self):
        return 1


class Cash:
    def charge(self):
        return 2
"""
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
