"""Tables of words in the rooms of the modules that read them."""

import tomllib
from pathlib import Path

import pytest

POLICY = Path(__file__).parents[3] / "actors" / "policy"


@pytest.mark.parametrize("file", sorted(POLICY.rglob("*.toml")), ids=lambda one: one.stem)
def test_the_room_of_a_table_reads_each_of_its_lists(file: Path) -> None:
    room = "".join(one.read_text("utf-8") for one in file.parent.glob("*.py"))

    lists = tomllib.loads(file.read_text("utf-8"))

    words = {name: one for name, one in lists.items() if isinstance(one, str)}  # else forms
    words |= {
        name: one
        for name, one in lists.get("expressions", {}).items()
        if not name.startswith("headed_")  # read by its topic
    }
    assert all(one.split() and f'"{name}"' in room for name, one in words.items())
