"""A hook event made small and clean before it is journaled.

A secret across a cut would survive in part, so each end of a long string is read some way past the cut,
redacted, and only then shortened. The work is bounded by the limits, not by the size of the event.

Imports only `re` and runs on Python 3.8: the hook loads it by file path, to cut its spool.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # the constant of typing, which the hook does not import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Union

    Json = Union[str, int, float, bool, None, list["Json"], dict[str, "Json"]]  # noqa: UP007
    Redact = Callable[[str], tuple[str, list[str]]]
else:
    Json = Redact = object  # named by annotations elsewhere

# Text that SQLite, MessagePack or UTF-8 would refuse: NUL and half surrogates.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "�"
# MessagePack has no integers beyond these; JSON has.
_LEAST, _MOST = -(2**63), 2**64 - 1
MARKER = "[REDACTED]"  # by `redact` in place of a secret
MOST_VALUES = 200_000  # strings, commas and openings of an event's JSON: 50 MB at most when made
# Text within a JSON string, some at a time, so that other threads have their turns.
_WITHIN = re.compile(rb'(?:[^"\\]{1,1024}|\\.){1,64}', re.DOTALL)
# A key that may make its value a secret: only such a pair is read together.
_CREDENTIAL = re.compile(r"pass|pwd|secret|token|cred|auth|key|cookie", re.IGNORECASE)


class Limits:
    """Limits of a kept event; lengths in characters."""

    def __init__(
        self,
        side: int = 8 * 1024,
        margin: int = 1024,
        depth: int = 64,
        leaves: int = 10_000,
        total: int = 512 * 1024,
    ) -> None:
        self.side = side  # kept at each end of a string longer than two sides
        self.margin = margin  # read past a cut for the redaction, then dropped
        self.depth = depth
        self.leaves = leaves
        self.total = total  # kept text of one event: about 40 ms of redaction


def cut(value: Json, redact: Redact, limits: Limits | None = None) -> tuple[Json, list[str]]:
    """`value` with every string and key redacted and shortened, and the kinds of secrets found.

    Numbers, booleans and None stay as they are; an integer of more than 64 bits becomes text.
    """
    walk = _Walk(redact, limits or Limits())
    return walk.cleaned(value, 0), walk.kinds


def cut_text(text: str, redact: Redact, limits: Limits | None = None) -> tuple[str, list[str]]:
    """One string, redacted; a long one as its first and last `side` characters."""
    limits = limits or Limits()
    if len(text) <= 2 * limits.side:
        return redact(_storable(text))
    reach = limits.side + limits.margin
    head, found = redact(_storable(text[:reach]))
    if _ends_inside_a_key(text, len(text) - reach):
        tail, found_too = "", ["private-key"]
    else:
        tail, found_too = redact(_storable(text[-reach:]))
    # An unfinished secret lies at the very end of the window, so dropping `margin` characters of
    # the redacted window takes it away, however much shorter or longer the window became.
    kept = head[: -limits.margin], tail[limits.margin :]
    left_out = len(text) - 2 * limits.side
    return f"{kept[0]}\n[… {left_out} characters left out …]\n{kept[1]}", found + found_too


def is_overfull(raw: bytes, most: int = MOST_VALUES) -> bool:
    """Tell whether a JSON text has more strings, commas and openings, before any of it is made."""
    marks = (b'"', b",", b"[", b"{")
    if sum(map(raw.count, marks)) <= most:
        return False
    values = at = 0
    while values <= most and at < len(raw):
        opens = raw.find(b'"', at)
        end = len(raw) if opens < 0 else opens
        values += sum(raw.count(mark, at, end) for mark in marks) + (opens >= 0)
        at = _closed(raw, end + 1)
    return values > most


def _closed(raw: bytes, at: int) -> int:
    """Position behind the string around this one; the end where nothing closes it."""
    while within := _WITHIN.match(raw, at):
        at = within.end()
    return at + 1


class _Walk:
    """State of one walk: its use of the limits, and its findings."""

    def __init__(self, redact: Redact, limits: Limits) -> None:
        self.kinds: list[str] = []
        self._redact = redact
        self._limits = limits
        self._leaves = 0
        self._text = 0

    def cleaned(self, value: Json, depth: int, key: str = "") -> Json:
        self._leaves += 1
        if isinstance(value, str):
            return self._string(value, key)
        if isinstance(value, (list, dict)) and depth >= self._limits.depth:
            return f"[… deeper than {self._limits.depth} levels, left out …]"
        if isinstance(value, list):
            return self._list(value, depth + 1, key)
        if isinstance(value, dict):
            return self._dict(value, depth + 1)
        if isinstance(value, int) and not _LEAST <= value <= _MOST:
            return str(value)
        return value

    def _list(self, values: list[Json], depth: int, key: str) -> Json:
        cleaned: list[Json] = []
        for value in values:
            if self._leaves >= self._limits.leaves:
                cleaned.append(f"[… {len(values) - len(cleaned)} more values left out …]")
                break
            cleaned.append(self.cleaned(value, depth, _flag(values, len(cleaned)) or key))
        return cleaned

    def _dict(self, values: dict[str, Json], depth: int) -> Json:
        cleaned: dict[str, Json] = {}
        for key, value in values.items():
            if self._leaves >= self._limits.leaves:
                cleaned["…"] = f"[… {len(values) - len(cleaned)} more values left out …]"
                break
            # No secret is a short name of letters, and most keys of an event are.
            is_plain = len(key) <= 24 and key.isascii() and key.replace("_", "").isalpha()
            name = key if is_plain else self._string(key, "")
            unique = name
            number = 2
            while unique in cleaned:  # two keys may be the same once redacted
                unique = f"{name} ({number})"
                number += 1
            cleaned[unique] = self.cleaned(value, depth, _called(values, key))
        return cleaned

    def _string(self, text: str, key: str) -> str:
        if self._text >= self._limits.total:
            return f"[… {len(text)} characters left out …]" if text else text
        cleaned, kinds = cut_text(text, self._redact, self._limits)
        self._text += min(len(text), 2 * self._limits.side)
        if len(text) <= 300 and len(key) <= 100 and _CREDENTIAL.search(key) is not None:
            cleaned, kinds = self._beside_its_key(cleaned, kinds, key)
        self.kinds += kinds
        return cleaned

    def _beside_its_key(self, text: str, kinds: list[str], key: str) -> tuple[str, list[str]]:
        """`{"password": "hunter2"}`: the value is a secret only together with its key."""
        before = f'"{_storable(key)}": "'
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        pair, found = self._redact(f'{before}{escaped}"')
        if found and pair.startswith(before + MARKER):
            return MARKER, kinds + found
        return text, kinds


def _flag(values: list[Json], position: int) -> str:
    """The flag before an argument: `["--token", "abc"]`."""
    before = values[position - 1] if position else None
    return before.lstrip("-") if isinstance(before, str) and before[:1] == "-" else ""


def _called(values: dict[str, Json], key: str) -> str:
    """Name of a value; in `{"name": "TOKEN", "value": "abc"}`, the name beside it."""
    if key.lower() != "value":
        return key
    name = values.get("name", values.get("key"))
    return name if isinstance(name, str) else key


def _storable(text: str) -> str:
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub(_REPLACEMENT, text)


def _ends_inside_a_key(text: str, start: int) -> bool:
    """Return whether a private key begun before `start` never ends: the rest belongs to it."""
    begin = text.rfind("-----BEGIN", 0, start)
    if begin < 0 or "PRIVATE KEY" not in text[begin : begin + 80]:
        return False
    return text.find("-----END", begin) < 0
