"""Settings: ``reverie.*`` as the editor gives them.

Pure. Whatever an editor sends, the result is usable: a bad value is the default, and
a line says so.
"""

from collections.abc import Mapping
from fnmatch import fnmatch
from typing import Annotated, Literal, cast, get_args

import msgspec
from msgspec import Meta

# The description is what a line says of a value that is not one.
Flag = Annotated[bool, Meta(description="true or false")]
HoverOn = Literal["line", "word", "off"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Choices of the user. ``docs/reference/language-server.md`` explains each."""

    enable: Flag = True
    hints: Flag = True
    hover: Annotated[HoverOn, Meta(description='"line", "word" or "off"')] = "line"
    min_score: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")] = 0.75
    # in any 50 lines, about what an editor shows at once
    max_hints: Annotated[int, Meta(ge=0, le=100, description="a whole number from 0 to 100")] = 3
    typing_quiet_ms: Annotated[
        float, Meta(ge=0, le=60_000, description="a number from 0 to 60000")
    ] = 800.0
    exclude: Annotated[tuple[str, ...], Meta(description="a list of path patterns")] = ()
    undo_prompt: Flag = False
    documents: Flag = False  # the editor opens ``reverie:`` addresses
    links: Flag = False  # the editor carries out the ``command:`` links of a hover
    asks: Flag = False  # the editor answers ``reverie/ask``

    @property
    def typing_quiet(self) -> float:
        """Seconds for which a line is left alone before it is matched."""
        return self.typing_quiet_ms / 1000

    def covers(self, path: str | None) -> bool:
        """Return whether a file at ``path`` is looked at."""
        if not self.enable:
            return False
        return path is None or not any(fnmatch(path, pattern) for pattern in self.exclude)


def parsed(raw: object, fallback: Settings) -> tuple[Settings, list[str]]:
    """The settings in ``raw``, and a line for each unusable value.

    ``raw`` is the ``reverie`` section, or an object that has one. A missing setting is as in
    ``fallback``; foreign keys are another tool's.
    """
    if not isinstance(raw, Mapping):
        return fallback, [] if raw is None else ["the settings are not an object"]
    section = cast("Mapping[str, object]", raw)
    inner = section.get("reverie")
    if isinstance(inner, Mapping):
        section = cast("Mapping[str, object]", inner)
    values: dict[str, object] = {}
    problems: list[str] = []
    for field in msgspec.structs.fields(Settings):
        value = section.get(field.encode_name)
        if value is None:
            continue
        if isinstance(value, float) and value.is_integer():  # 3.0, as some editors write 3
            value = int(value)
        try:
            values[field.name] = msgspec.convert(value, field.type)
        except msgspec.ValidationError:
            allowed, before = get_args(field.type)[1].description, getattr(fallback, field.name)
            problems.append(f"reverie.{field.encode_name} must be {allowed}; {before!r} is used")
    return msgspec.structs.replace(fallback, **values), problems
