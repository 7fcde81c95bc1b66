"""Tables of words beside the modules that read them."""

import tomllib
from pathlib import Path

import pytest

POLICY = Path(__file__).parents[3] / "actors" / "policy"


@pytest.mark.parametrize("file", sorted(POLICY.rglob("*.toml")), ids=lambda one: one.stem)
def test_the_module_beside_a_table_reads_each_of_its_lists(file: Path) -> None:
    module = file.with_suffix(".py").read_text("utf-8")

    lists = tomllib.loads(file.read_text("utf-8"))

    words = {name: one for name, one in lists.items() if isinstance(one, str)}  # else forms
    assert all(one.split() and f'"{name}"' in module for name, one in words.items())
