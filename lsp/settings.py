"""Settings: ``reverie.*`` as the editor gives them.

Pure. Whatever an editor sends, the result is usable: a bad value is the default, and
a line says so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any, Literal, cast, get_args

HoverOn = Literal["line", "word", "off"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose. ``docs/editors.md`` explains each."""

    enable: bool = True
    hints: bool = True
    hover: HoverOn = "line"
    min_score: float = 0.75
    max_hints: int = 3  # in any 50 lines, about what an editor shows at once
    typing_quiet: float = 0.8  # seconds
    exclude: tuple[str, ...] = ()
    undo_prompt: bool = False
    documents: bool = False  # the editor opens ``reverie:`` addresses
    progress: bool = False  # a dream that begins by itself is shown

    def covers(self, path: str | None) -> bool:
        """Whether a file at ``path`` is looked at."""
        if not self.enable:
            return False
        return path is None or not any(fnmatch(path, pattern) for pattern in self.exclude)


class _Wrong(Exception):
    """The value is not one of those allowed; the text says which are."""


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("true or false")
    return value


def _hover(value: object) -> HoverOn:
    for allowed in get_args(HoverOn):
        if value == allowed:
            return cast("HoverOn", allowed)
    raise _Wrong('"line", "word" or "off"')


def _number(low: float, high: float) -> Callable[[object], float]:
    def parsed_number(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _Wrong(f"a number from {low:g} to {high:g}")
        if not low <= value <= high:
            raise _Wrong(f"a number from {low:g} to {high:g}")
        return float(value)

    return parsed_number


def _count(value: object) -> int:
    number = _number(0, 100)(value)
    if number != int(number):
        raise _Wrong("a whole number from 0 to 100")
    return int(number)


def _milliseconds(value: object) -> float:
    return _number(0, 60_000)(value) / 1000


def _patterns(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        patterns = tuple(cast("list[object]", value))
        if all(isinstance(pattern, str) for pattern in patterns):
            return cast("tuple[str, ...]", patterns)
    raise _Wrong("a list of path patterns")


KEYS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "enable": ("enable", _flag),
    "hints": ("hints", _flag),
    "hover": ("hover", _hover),
    "minScore": ("min_score", _number(0, 1)),
    "maxHints": ("max_hints", _count),
    "typingQuietMs": ("typing_quiet", _milliseconds),
    "exclude": ("exclude", _patterns),
    "undoPrompt": ("undo_prompt", _flag),
    "documents": ("documents", _flag),
    "progress": ("progress", _flag),
}


def parsed(raw: object, fallback: Settings) -> tuple[Settings, list[str]]:
    """The settings in ``raw``, and a line for each value that was not usable.

    ``raw`` is the ``reverie`` section, or an object that has one. What it does not name
    is as in ``fallback``; keys that are not ours are another tool's.
    """
    if not isinstance(raw, Mapping):
        return fallback, [] if raw is None else ["the settings are not an object"]
    section = cast("Mapping[str, object]", raw)
    inner = section.get("reverie")
    if isinstance(inner, Mapping):
        section = cast("Mapping[str, object]", inner)
    values = {name: getattr(fallback, name) for name, _ in KEYS.values()}
    problems: list[str] = []
    for key, (name, check) in KEYS.items():
        if section.get(key) is None:
            continue
        try:
            values[name] = check(section[key])
        except _Wrong as wrong:
            problems.append(f"reverie.{key} must be {wrong}; {getattr(fallback, name)!r} is used")
    return Settings(**values), problems
