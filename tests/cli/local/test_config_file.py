"""Setting one key of ``config.toml`` and nothing else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.commands.local.config import set_value, with_value


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[embedding]\nmodel = "m"\n'),
        ("[gate]\nhigh = 0.9 # mine\n", '[gate]\nhigh = 0.9 # mine\n\n[embedding]\nmodel = "m"\n'),
        ("[embedding]\nfetch = true\n", '[embedding]\nmodel = "m"\nfetch = true\n'),
        (
            '# top\n[embedding] # here\nmodel="old"\nfetch = true\n[gate]\nlow = 0.1\n',
            '# top\n[embedding] # here\nmodel = "m"\nfetch = true\n[gate]\nlow = 0.1\n',
        ),
        ('[other]\nmodel = "x"\n', '[other]\nmodel = "x"\n\n[embedding]\nmodel = "m"\n'),
    ],
)
def test_only_the_line_of_the_key_changes(before: str, after: str) -> None:
    assert with_value(before, "embedding", "model", "m") == after


@pytest.mark.parametrize(
    "inline", ['embedding = {model = "x"}\n', 'embedding.model = "x"\n', "= ["]
)
def test_what_cannot_be_changed_safely_is_left_to_a_person(inline: str) -> None:
    with pytest.raises(click.ClickException, match="by hand"):
        with_value(inline, "embedding", "model", "m")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(value: str) -> None:
    text = with_value("[embedding]\nfetch = true\n", "embedding", "model", value)

    assert tomllib.loads(text) == {"embedding": {"model": value, "fetch": True}}


def test_the_file_is_private_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"

    set_value(path, "embedding", "model", "/a/ü.gguf")

    assert path.stat().st_mode & 0o777 == 0o600
    assert tomllib.loads(path.read_text())["embedding"]["model"] == "/a/ü.gguf"
    assert list(tmp_path.iterdir()) == [path]
