"""``doctor --secrets``: what earlier rules let in is found, and is in no file afterwards."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from daemon.api.erase import UNFINISHED, Secrets, SecretsAt, SecretsFound
from daemon.home import Home
from tests.cli.conftest import Program, Run, document
from tests.cli.fake_daemon import FakeDaemon
from tests.holders import holders

SECRET = "acme_kiwifruit"
RULE = "[redaction]\npatterns = ['acme_[a-z]+']\n"
FOUND = SecretsFound(places=[SecretsAt(place="memory.text", secrets=3)], rows=9, forgotten=1)


@pytest.mark.slow
def test_a_real_store_its_spool_and_backups_are_cleaned(program: Program, home: Home) -> None:
    home.prepare()
    program("remember", f"the gate opens with {SECRET} on mondays", "--trigger", SECRET)
    program("remember", f"{SECRET} is old")
    program("edit", "m2", "oaks are old")
    program("down")
    copy = home.backups / "before-schema-99.db"
    with apsw.Connection(str(home.database)) as source, apsw.Connection(str(copy)) as target:
        target.backup("main", source, "main").step()
    aside = home.spool / "1.json.unreadable"
    aside.write_text(f"no event: {SECRET}")
    before = {path.name for path in map(Path, holders(home.root, SECRET))}
    home.config.write_text(RULE)

    found = document(program("doctor", "--secrets", "--yes", "--json"))
    again = document(program("doctor", "--secrets", "--yes", "--json"))
    shown = document(program("list", "--json"))

    assert before >= {"reverie.db", copy.name, aside.name}
    assert {at["place"] for at in found["places"]} >= {"memory.text", "memory_version.text"}
    assert holders(home.root, SECRET) == []
    assert again["places"] == []
    assert {memory["text"] for memory in shown["memories"]} == {
        "the gate opens with [REDACTED] on mondays", "oaks are old",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "code", "asked"), [("n\n", 1, [False]), ("y\n", 0, [False, True])]
)
def test_counts_are_shown_and_nothing_is_changed_without_a_yes(
    daemon: FakeDaemon, run: Run, answer: str, code: int, asked: list[bool]
) -> None:
    daemon.reply(Secrets, FOUND)

    done = run("doctor", "--secrets", input=answer)

    assert done.exit_code == code
    assert done.stdout.splitlines()[0].split() == ["memory.text", "3"]
    assert "cannot be undone" in done.stderr
    assert [one.yes for one in daemon.asked if isinstance(one, Secrets)] == asked
    said = "3 secrets taken out, and every backup deleted\n1 memory said nothing else"
    assert (said in done.stdout) == (code == 0)
    assert ("nothing was changed" in done.stderr) == (code == 1)


def test_a_person_is_asked_to_finish_what_was_stopped_though_no_secret_stands_in_a_row(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(Secrets, SecretsFound(places=[], rows=9, unfinished=True))

    done = run("doctor", "--secrets", input="y\n")

    assert "Finish it?" in done.stderr
    assert [one.yes for one in daemon.asked if isinstance(one, Secrets)] == [False, True]
    assert done.stdout.splitlines() == [UNFINISHED, "files rewritten, and every backup deleted"]
