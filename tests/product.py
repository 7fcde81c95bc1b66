"""What of the product reads a text: every compiled pattern, and every text function of the policy."""

import ast
import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import asdict

from actors.policy.patterns import Stated
from actors.policy.text.turn import Turn

PACKAGES: Final = ("actors", "daemon", "hooks", "lsp", "toolserver")
DEEPEST: Final = 5  # containers within containers that are looked through
_CALLED: Final = re.compile(r"\bre\.(?!compile|escape)\w+\(")


def modules(*packages: str) -> list[ModuleType]:
    """Every module of these packages, imported, by name."""
    found: list[ModuleType] = []
    for name in packages:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            found.append(importlib.import_module(module.name))
    return sorted(found, key=lambda module: module.__name__)


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern of the product by the name of where it stands first: globals and calls."""
    found: dict[tuple[str, int], tuple[str, re.Pattern[str]]] = {}
    for module in modules(*PACKAGES):
        for name, pattern in [*_of_globals(module), *_of_calls(module)]:
            if isinstance(pattern.pattern, str):
                found.setdefault((pattern.pattern, pattern.flags), (name, pattern))
    return dict(found.values())


def _of_globals(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for name, value in list(vars(module).items()):
        if not name.startswith("__"):
            yield from _within(value, f"{module.__name__}.{name}", 0)


def _within(value: Any, name: str, depth: int) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns in a value: a pattern itself, or one within containers and structs."""
    if isinstance(value, Stated):
        yield name, value.compiled
    elif isinstance(value, re.Pattern):
        yield name, value
    elif depth < DEEPEST:
        for part, inner in _parts(value):
            yield from _within(inner, f"{name}{part}", depth + 1)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        mapping = cast("Mapping[object, object]", value)
        for number, (key, inner) in enumerate(mapping.items()):
            yield f"[{number}].key", key
            yield f"[{number}]", inner
    elif isinstance(value, list | tuple | set | frozenset):
        several = cast("Collection[object]", value)
        yield from ((f"[{number}]", inner) for number, inner in enumerate(several))
    elif isinstance(value, Struct):
        yield from ((f".{name}", inner) for name, inner in asdict(value).items())


def _of_calls(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Patterns that a function hands to `re` as they stand: `re.search(r"...", text)`."""
    assert module.__file__ is not None
    source = Path(module.__file__).read_text(encoding="utf-8")
    if not _CALLED.search(source):  # to parse them all takes seconds
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=called),
                args=[ast.Constant(value=str(text)), *_],
            ) if called not in ("compile", "escape"):
                at_start = called in ("match", "fullmatch")
                flags = re.IGNORECASE if "re.IGNORECASE" in ast.unparse(node) else 0
                pattern = re.compile(rf"\A(?:{text})" if at_start else text, flags)
                yield f"{module.__name__}:{node.lineno}", pattern
            case _:
                pass


def text_functions() -> dict[str, Callable[[str], object]]:
    """Every public function of the policy that texts or turns alone can be given, by its name.

    One that needs several texts is given the same one for each.
    """
    found: dict[str, Callable[[str], object]] = {}
    for module in modules("actors.policy"):
        for name, value in vars(module).items():
            if not isinstance(value, FunctionType | _CACHED) or name.startswith("_"):
                continue
            function = cast("Callable[..., object]", value)
            if function.__module__ == module.__name__ and _takes_texts(function):
                found[f"{module.__name__}.{name}"] = _of_one_text(function)
    return found


_CACHED: Final[type] = type(functools.lru_cache(lambda: None))


def _takes_texts(function: Callable[..., object]) -> bool:
    """Tell whether the first parameter is a text or a turn, and so is every other that has no default."""
    parameters = list(inspect.signature(function).parameters.values())
    return bool(parameters) and all(
        one.annotation in (str, "str", Turn) for one in (parameters[0], *_needed(function))
    )


def _of_one_text(function: Callable[..., object]) -> Callable[[str], object]:
    first, *_ = inspect.signature(function).parameters.values()
    positional = [one for one in _needed(function) if one.kind is not one.KEYWORD_ONLY] or [first]
    named = [one.name for one in _needed(function) if one.kind is one.KEYWORD_ONLY]
    turns = [one.annotation is Turn for one in positional]
    return lambda text: function(
        *(Turn(text) if is_turn else text for is_turn in turns), **dict.fromkeys(named, text)
    )


def _needed(function: Callable[..., object]) -> list[inspect.Parameter]:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        one
        for one in inspect.signature(function).parameters.values()
        if one.default is one.empty and one.kind not in kinds
    ]
