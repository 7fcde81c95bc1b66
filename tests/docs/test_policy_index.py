"""docs/policy-index.md names every public function of the policy, and nothing else.

What a function takes and gives is compared with its signature, and every row that the page names
is named by a test as well. A failing test prints the lines that are missing, ready to be put into the page.
"""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "policy-index.md"
LINE = re.compile(
    r"^\| (?P<rows>[^|]+) \| `(?P<name>[\w.]+)` \| (?P<arguments>[^|]*) \| (?P<gives>[^|]*) \|$",
    re.MULTILINE,
)
MODULES = re.compile(r"\b(?:actors\.policy\.\w+|collections\.abc|typing|re)\.")
ARRAY = re.compile(r"numpy\.ndarray\[.*?numpy\.dtype\[numpy\.(\w+)\]\]")
ROW = re.compile(r"[A-Q]\d{2}|C-\d{2}|C\d{2}[bc]?|U\d{2}|–")
NAMED = re.compile(rf"(?<![\w-])(?:{ROW.pattern})(?!\w)")


def modules() -> list[ModuleType]:
    files = sorted((ROOT / "actors" / "policy").glob("*.py"))
    return [
        importlib.import_module(f"actors.policy.{file.stem}")
        for file in files
        if file.stem != "__init__"
    ]


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for module in modules():
        short = module.__name__.rpartition(".")[2]
        for name, value in vars(module).items():
            plain = inspect.unwrap(value) if callable(value) else value
            if (
                inspect.isfunction(plain)
                and plain.__module__ == module.__name__
                and not name.startswith("_")
            ):
                yield f"{short}.{name}", plain


def arguments(function: Callable[..., object]) -> str:
    names = [f"`{name}`" for name in inspect.signature(function).parameters if name != "self"]
    return ", ".join(names) or "–"


def gives(value: object) -> str:
    """What a function returns, as the page prints it; of a constant, what it is."""
    if not callable(value):
        return f"`{type(value).__name__.replace('mappingproxy', 'Mapping')}`"
    told = inspect.formatannotation(inspect.signature(value).return_annotation)
    short = MODULES.sub("", ARRAY.sub(r"array of \1", told.replace("'", "")))
    return f"`{short.replace(' | ', ' or ')}`"


def indexed() -> list[re.Match[str]]:
    return list(LINE.finditer(PAGE.read_text("utf-8")))


def named(path: str) -> object:
    module, *attributes = path.split(".")
    value: object = importlib.import_module(f"actors.policy.{module}")
    for attribute in attributes:
        value = getattr(value, attribute, None)
    return inspect.unwrap(value) if callable(value) else value


def test_every_public_function_is_in_the_index() -> None:
    known = {line["name"] for line in indexed()}

    missing = [
        f"| – | `{name}` | {arguments(function)} | {gives(function)} |"
        for name, function in public_functions()
        if name not in known
    ]
    assert missing == []


def test_the_index_names_each_thing_once() -> None:
    lines = [line["name"] for line in indexed()]

    assert sorted(set(lines)) == sorted(lines)


@pytest.mark.parametrize("line", indexed(), ids=lambda line: str(line["name"]))
def test_what_the_index_names_exists_and_takes_these_arguments(line: re.Match[str]) -> None:
    value = named(line["name"])

    assert value is not None
    assert line["arguments"] == (arguments(value) if callable(value) else "constant")
    assert line["gives"] == gives(value)
    assert all(ROW.fullmatch(row) for row in line["rows"].split(", "))


def test_every_row_of_the_index_is_named_by_a_test() -> None:
    rows = {row for line in indexed() for row in line["rows"].split(", ")} - {"–"}
    files = (ROOT / "tests").rglob("*.py")
    named_in_tests = set(NAMED.findall(" ".join(file.read_text("utf-8") for file in files)))

    assert sorted(rows - named_in_tests) == []
