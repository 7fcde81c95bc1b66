"""What is written about the settings and commands, beside what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from lsp.commands import COMMANDS
from lsp.editor import Settings

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/reference/language-server.md").read_text(encoding="utf-8")
PACKAGE = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
OWN_IN_VS_CODE = {"hover": "word", "undoPrompt": True}  # as the guide says


def defaults() -> dict[str, Any]:
    """Every setting as an editor would write its default."""
    return dict(msgspec.json.decode(msgspec.json.encode(Settings())))


def test_the_guide_tells_every_setting_and_its_default() -> None:
    section = GUIDE.partition("## Settings")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", section, re.MULTILINE))

    assert {key: json.loads(value) for key, value in rows.items()} == defaults()


def test_vs_code_offers_every_setting_with_the_same_default() -> None:
    properties = PACKAGE["contributes"]["configuration"]["properties"]
    offered = {key.removeprefix("reverie."): value["default"] for key, value in properties.items()}
    del offered["command"]

    expected = defaults() | OWN_IN_VS_CODE
    for set_by_the_extension in ("documents", "links", "asks"):
        del expected[set_by_the_extension]
    assert offered == expected


def test_the_guide_tells_every_command() -> None:
    section = GUIDE.partition("## Commands")[2].partition("\n## ")[0]
    told = set(re.findall(r"`(reverie\.\w+)`", section))

    assert told == COMMANDS.keys()


def test_the_names_of_vs_codes_palette_are_not_those_of_the_server() -> None:
    palette = {command["command"] for command in PACKAGE["contributes"]["commands"]}

    assert not palette & COMMANDS.keys()
