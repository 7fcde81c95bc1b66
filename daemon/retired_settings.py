"""Texts about settings: the meaning of each, and the fate of earlier versions' ones.

A removed key or value is one line among the warnings, so an old file still starts; only a name never known
stops the daemon. Who removes a setting writes its key into ``retired_settings.txt``.
"""

from collections.abc import Mapping
from pkgutil import get_data
from typing import Final


def texts(name: str) -> Mapping[str, str]:
    """Read a file of this folder: lines of keys, a colon, and the text about each of them.

    No TOML: a starting daemon reads it. Raises ``OSError`` without the file.
    """
    text = (get_data(__name__, f"{name}.txt") or b"").decode().replace("\n    ", " ")
    said = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return {key: what for keys, _, what in said for key in keys.split()}


KEYS: Final = texts("retired_settings")
"""By key: why it is not there any more, or what to set instead."""


def retired(key: str, value: object) -> str | None:
    """Reason why ``key`` or its ``value`` is not used any more; None if nothing was removed."""
    if key in KEYS:
        return f"{key} is gone and has no effect: {KEYS[key]}"
    if key == "features.extraction" and _is_share(value):
        return f"{key} = {value} is gone, the default holds: it is on or off for all installations"
    return None


def _is_share(value: object) -> bool:
    """Return whether it is a percentage of installations, as the file or the environment has it."""
    text = "" if isinstance(value, bool) else str(value)
    return text.replace(".", "", 1).isdigit() and text not in ("0", "1")
