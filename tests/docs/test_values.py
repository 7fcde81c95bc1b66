"""Values are structs of msgspec: policy takes nothing else of it, and a change is checked by the fields."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.memory.particulars import Particulars

ROOT = Path(__file__).resolve().parents[2]
VALUES = {
    "Struct",
    "UNSET",
    "UnsetType",
    "field",
    "structs",
    "asdict",
    "astuple",
    "force_setattr",
    "replace",
}
PACKAGES = ("actors", "daemon", "lab", "lsp", "tests", "toolserver", "viewer")


def imported(*folders: str) -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    """Each import of the modules in these folders, with the module's path."""
    for folder in folders:
        for module in sorted((ROOT / folder).rglob("*.py")):
            for one in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                if isinstance(one, ast.Import | ast.ImportFrom):
                    yield module.relative_to(ROOT).as_posix(), one


def test_policy_takes_values_of_msgspec_and_nothing_that_encodes() -> None:
    others = [
        (module, name.name)
        for module, one in imported("actors/policy")
        for name in one.names
        if (isinstance(one, ast.Import) and name.name.startswith("msgspec"))
        or (
            isinstance(one, ast.ImportFrom)
            and (one.module or "").startswith("msgspec")
            and name.name not in VALUES
        )
    ]

    assert others == []


def test_no_value_is_a_dataclass() -> None:
    made = [
        module
        for module, one in imported(*PACKAGES)
        if isinstance(one, ast.ImportFrom) and one.module == "dataclasses"
    ]

    assert made == []


def test_a_wrong_name_in_a_change_is_refused_and_named_by_mypy() -> None:
    said = Particulars()

    # Without the plugin `scripts/replacing.py` mypy says that there is nothing to ignore.
    with pytest.raises(TypeError, match="whence"):
        replace(said, whence="here")  # type: ignore[call-arg]
