"""Imports go in one direction: no module imports one that imports it, by whatever way."""

import ast
import sys
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

# Protocols of the product, and what fills each: one class alone is named by itself.
PROTOCOLS = {
    "actors.core.equipment.Clock": "the wall's clock, and a simulation's",
    "actors.core.equipment.Worker": "a thread, and none",
    "actors.memory.rows.Embedding": "the worker process, and a simulation's",
    "daemon.times.Claimed": "a memory, and a result of recall",
    "daemon.storage.database.connection.Connection": "a thread, and a simulation's without one",
    "daemon.storage.database.connection.Opening": "the same two",
    "daemon.supervisor.Actor": "every actor",
    "daemon.supervisor.Telling": "actors with figures for status",
}
PACKAGES = ("actors", "daemon", "hooks", "lab", "lsp", "toolserver", "viewer")


def circle(imports: Mapping[str, frozenset[str]]) -> list[str]:
    """Modules that import each other in a circle; empty when there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []


def imports_of(*packages: str) -> dict[str, frozenset[str]]:
    """Imports of each module: at its start, in its functions, and for its annotations."""
    graph = grimp.build_graph(*packages, cache_dir=None)
    return {one: frozenset(graph.find_modules_directly_imported_by(one)) for one in graph.modules}


def test_a_protocol_has_several_implementations() -> None:
    root = Path(__file__).resolve().parents[2]
    declared = {
        f"{'.'.join(module.relative_to(root).with_suffix('').parts)}.{one.name}"
        for package in PACKAGES
        for module in (root / package).rglob("*.py")
        for one in ast.walk(ast.parse(module.read_text()))
        if isinstance(one, ast.ClassDef) and "Protocol" in map(ast.unparse, one.bases)
    }

    assert declared == set(PROTOCOLS)


def test_no_module_imports_one_that_imports_it() -> None:
    assert circle(imports_of(*PACKAGES)) == []


def test_a_circle_by_an_import_in_a_function_or_for_annotations_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "around"
    package.mkdir()
    for name, source in {
        "__init__": "",
        "first": "def f():\n    from around.second import g\n",
        "second": "from around import third\n",
        "third": "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from around.first import f\n",
    }.items():
        (package / f"{name}.py").write_text(source)
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])

    noticed = circle(imports_of("around"))

    assert set(noticed) == {"around.first", "around.second", "around.third"}
