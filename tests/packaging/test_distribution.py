"""What is shipped, under which names, and what it stands on."""

import ast
import importlib.metadata
import importlib.util
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import daemon
from daemon.embedding import build_llama

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = {"actors", "daemon", "hooks", "lab", "lsp", "toolserver", "viewer"}
PROJECT: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
ADDRESS = re.compile(r"https?://|^-{1,2}(i|index-url|extra-index-url|f|find-links)\b", re.MULTILINE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
    )
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        yield archive


def member(wheel: zipfile.ZipFile, ending: str) -> str:
    name = next(name for name in wheel.namelist() if name.endswith(f".dist-info/{ending}"))
    return wheel.read(name).decode()


def requirements(lines: list[str]) -> list[Requirement]:
    return [Requirement(line) for line in lines]


def runtime() -> list[Requirement]:
    return requirements(PROJECT["project"]["dependencies"])


def clients() -> list[Requirement]:
    """What the tool server and the view need."""
    extras = PROJECT["project"]["optional-dependencies"]
    return requirements([*extras["tools"], *extras["view"]])


def llama() -> Requirement:
    [only] = requirements(PROJECT["project"]["optional-dependencies"]["llama"])
    return only


def development() -> list[Requirement]:
    return requirements(PROJECT["dependency-groups"]["dev"])


def build() -> list[Requirement]:
    return requirements([*PROJECT["build-system"]["requires"], "editables"])


def pins() -> dict[str, set[Version]]:
    """The locked versions by name; a name may have one for older and one for newer Pythons."""
    found: dict[str, set[Version]] = {}
    for name, version in re.findall(
        r"^([A-Za-z0-9_.-]+)==([^ ]+)", (CHECKOUT / "requirements.lock").read_text(), re.MULTILINE
    ):
        found.setdefault(canonicalize_name(name), set()).add(Version(version))
    return found


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(), re.MULTILINE))


def imported_names(source: Path) -> set[str]:
    """The top-level names that a module imports; imports within its own package do not count."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text())):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name.split(".")[0] for alias in aliases}
            case ast.ImportFrom(module=str(module), level=0):
                if not module.startswith("actors.policy"):
                    names.add(module.split(".")[0])
            case _:
                pass
    return names


@pytest.mark.slow
def test_the_wheel_carries_our_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES


@pytest.mark.slow
def test_the_wheel_holds_every_module_of_the_checkout(wheel: zipfile.ZipFile) -> None:
    written = {
        str(path.relative_to(CHECKOUT))
        for package in PACKAGES
        for path in (CHECKOUT / package).rglob("*.py")
    }

    assert {name for name in wheel.namelist() if name.endswith(".py")} == written


@pytest.mark.slow
def test_the_wheel_has_each_table_of_words_and_of_the_store_and_the_built_pages(
    wheel: zipfile.ZipFile,
) -> None:
    written = (
        "actors/**/*.json*",
        "actors/**/*.txt",
        "actors/**/*.toml",
        "daemon/**/*.sql",
        "daemon/**/*.txt",
        "viewer/static/**/*.*",
    )
    tables = {str(path.relative_to(CHECKOUT)) for form in written for path in CHECKOUT.glob(form)}

    assert set() < tables <= set(wheel.namelist())
    assert not [name for name in wheel.namelist() if name.startswith("viewer/web/")]


@pytest.mark.slow
def test_the_wheel_tells_type_checkers_that_each_package_is_typed(wheel: zipfile.ZipFile) -> None:
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(wheel.namelist())


@pytest.mark.slow
def test_the_wheel_installs_one_command(wheel: zipfile.ZipFile) -> None:
    lines = member(wheel, "entry_points.txt").split("\n")

    assert [line for line in lines if line] == ["[console_scripts]", "reverie = daemon.cli:main"]


@pytest.mark.slow
def test_the_version_stands_in_one_place(wheel: zipfile.ZipFile) -> None:
    version = daemon.__version__

    assert f"\nVersion: {version}\n" in member(wheel, "METADATA")
    assert importlib.metadata.version("reverie") == version


def test_no_other_distribution_owns_our_names() -> None:
    others = [
        distribution
        for distribution in importlib.metadata.distributions()
        if distribution.name != "reverie"
    ]

    owners = {
        distribution.name
        for distribution in others
        for file in distribution.files or []
        if file.parts[0].removesuffix(".py") in PACKAGES
    }

    assert owners == set()


def test_each_dependency_has_its_reason_and_each_reason_its_dependency() -> None:
    page = (CHECKOUT / "docs" / "dependencies.md").read_text()
    explained = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)

    taken = [*runtime(), llama(), *clients(), *development(), *build()]
    taken += requirements(list(build_llama.BUILD_TOOLS))

    assert sorted(explained) == sorted(requirement.name for requirement in taken)


def test_the_lock_names_no_index() -> None:
    assert ADDRESS.search((CHECKOUT / "requirements.lock").read_text()) is None


@pytest.mark.parametrize(
    "line", ["--index-url x", "-i x", "--find-links /a", "a @ https://example.org/a.whl"]
)
def test_an_index_in_the_lock_would_be_seen(line: str) -> None:
    assert ADDRESS.search(f"anyio==1\n{line}\n") is not None


def test_the_lock_has_an_admitted_version_of_each_dependency() -> None:
    locked = pins()
    taken = [*runtime(), *clients(), *development(), *build()]
    versions = {str(one): locked.get(canonicalize_name(one.name), set()) for one in taken}

    assert [name for name, found in versions.items() if not found] == []
    assert [one for one in taken if any(v not in one.specifier for v in versions[str(one)])] == []


def test_every_locked_file_has_a_digest() -> None:
    lock = (CHECKOUT / "requirements.lock").read_text()
    entries = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"^ *#.*\n", "", lock, flags=re.MULTILINE))

    assert len(entries) > len(runtime())
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_llama_is_pinned_by_its_script_and_not_by_the_lock() -> None:
    assert llama().name not in pins()
    assert Version(build_llama.VERSION) in llama().specifier
    assert re.fullmatch(r"[0-9a-f]{64}", build_llama.SDIST_SHA256)


def test_what_llama_needs_is_locked() -> None:
    needs = importlib.metadata.requires(llama().name) if llama_is_installed() else None
    if needs is None:
        pytest.skip("llama-cpp-python is optional and not installed here")

    plain = [need for need in requirements(needs) if need.marker is None]

    assert {canonicalize_name(need.name) for need in plain} <= set(pins())


def test_what_is_unpacked_beside_llama_is_as_locked_and_no_more() -> None:
    beside = requirements(list(build_llama.BESIDE))

    assert all(
        pins()[canonicalize_name(one.name)] == {Version(str(one.specifier)[2:])} for one in beside
    )


def llama_is_installed() -> bool:
    return importlib.util.find_spec("llama_cpp") is not None


def test_make_help_names_each_target() -> None:
    said = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout

    assert set(re.findall(r"^  make ([a-z-]+) ", said, re.MULTILINE)) == make_targets()


POLICY = sorted((CHECKOUT / "actors" / "policy").rglob("*.py"))


def test_policy_imports_only_mathematics_and_reads_only_tables_of_words() -> None:
    mathematics = {
        "__future__", "binascii", "bisect", "collections", "copy", "datetime", "enum", "fnmatch", "fsrs",
        "functools", "hashlib", "heapq", "itertools", "json", "math", "msgspec", "numpy", "calendar", "operator", "re",
        "statistics", "types", "typing", "unicodedata",
    }  # fmt: skip
    others = {module.stem: imported_names(module) - mathematics for module in POLICY}

    assert {module: names for module, names in others.items() if names} == {
        "words": {"pkgutil", "tomllib"}
    }


def test_policy_reads_no_clock_and_draws_no_random_number() -> None:
    chance = {"default_rng", "now", "random", "today", "utcnow"}
    called = {
        (module.stem, node.func.attr)
        for module in POLICY
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }

    assert {(module, name) for module, name in called if name in chance} == set()
