"""Homes of one person on two machines: what is said and erased in one reaches the other."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from msgspec.structs import replace

from daemon.home import Home
from tests.e2e.conftest import Reverie


@pytest.fixture
def other(reverie: Reverie) -> Generator[Reverie]:
    """Another home, with a daemon of its own."""
    folder = Path(tempfile.mkdtemp(prefix="rv"))
    home = Home(folder / "home")
    home.prepare()
    made = replace(reverie, home=home, environ={**reverie.environ, "REVERIE_HOME": str(home.root)})
    try:
        yield made
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def texts(reverie: Reverie) -> set[str]:
    return {one["text"] for one in reverie.document("list")["memories"]}


def merged(reverie: Reverie, source: Path) -> tuple[dict[str, int], dict[str, int]]:
    done = reverie.document("import", "--merge", str(source), "--no-embed")
    return done["actions"], done["left"]


def test_what_is_erased_on_one_machine_is_gone_on_the_other_and_in_what_goes_between(
    reverie: Reverie, other: Reverie
) -> None:
    file = reverie.folder / "export.jsonl"
    reverie.run("remember", "Quetzalcoatl listens on port 9911")
    reverie.run("remember", "The billing queue is on Redis")
    reverie.run("export", "--whole", str(file))
    came = merged(other, file)
    reverie.run("forget", "--erase", "--yes", "m1")
    old_file = merged(reverie, file)
    reverie.run("export", "--whole", str(file))
    gone = merged(other, file)
    again = merged(other, file)
    other.run("export", "--whole", str(file))
    back = merged(reverie, file)

    assert came == ({"CREATE": 2}, {"ended": 0, "erased": 0})
    assert old_file == ({"ERASED": 1, "HERE": 1}, {"ended": 0, "erased": 0})
    assert gone == ({"HERE": 1}, {"ended": 0, "erased": 1})
    assert again == back == ({"HERE": 1}, {"ended": 0, "erased": 0})
    assert texts(reverie) == texts(other) == {"The billing queue is on Redis"}
    assert reverie.files_with("Quetzalcoatl") == other.files_with("Quetzalcoatl") == []
    assert b"Quetzalcoatl" not in file.read_bytes()


def test_a_plain_import_of_a_whole_export_takes_its_memories_alone(
    reverie: Reverie, other: Reverie
) -> None:
    file = reverie.folder / "export.jsonl"
    reverie.run("remember", "The billing queue is on Redis")
    reverie.run("remember", "Quetzalcoatl listens on port 9911")
    reverie.run("forget", "m2")
    reverie.run("export", "--whole", str(file))
    done = other.document("import", str(file), "--no-embed")

    assert len(file.read_bytes().splitlines()) == 2
    assert (done["rows"], texts(other)) == (1, {"The billing queue is on Redis"})
