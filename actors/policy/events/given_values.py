"""A name of secrecy in its text, and the judging of the value that is given to it.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re

from actors.policy.events.secret_values import (
    LONG,
    PLAIN,
    compiled,
    is_made_of_words,
    is_passphrase,
    is_secret,
    is_strong,
)
from actors.policy.events.secret_words import kind_of, opens_something

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    Span = tuple[int, int, str]  # start, end, kind

_QUOTES = "\"'`“„«‘"
QUOTE = re.compile(r"(?:[bBrRuULN@]{1,2}(?=[\"']))?(\\{0,3}[\"'`“„«‘])(?:(?<=«)[ \u00a0\u202f])?")


class Given:
    """A name, where it stands, and what it says; the text it stands in."""

    __slots__ = ("before", "name", "read", "says", "start", "text")

    def __init__(self, text: str, start: int, name: str, says: int) -> None:
        self.text, self.start, self.name, self.says = text, start, name, says
        self.before = text[max(0, start - 80) : start]
        self.read = 0  # up to where there is nothing more to find

    def take(self, at: int, quote: str, how: str, spans: list[Span]) -> bool:
        """Judge the value that begins at `at`; keep where it is if it is a secret."""
        probe = _value_pattern(quote).match(self.text, at)
        if probe is None:
            return False
        value = probe.group().rstrip(" \u00a0\u202f") if quote == "«" else probe.group()
        if len(value) > LONG and len(set(value)) < 20:
            self.read = probe.end()  # the same few characters over and over
            return False
        alone = how == "assigned" and not quote and self.stands_on_a_line()
        if how == "prose" and not quote:
            value = value.rstrip(".,;:?)]}*_")
            if compiled(r"\d!{1,3}\Z").search(value) is None:
                value = value.rstrip(".,;:!?)]}*_")
        elif not quote:
            if not alone:
                value = compiled(r"[\\,;&<>|]").split(value, 1)[0]
            value = value.rstrip(")]},;")
        if not quote:
            value = compiled(r"\\[nrtu]").split(value, 1)[0]  # the escape of a line's end
        if not (
            is_secret(value[:LONG], self.says, how, bool(quote), alone)
            or (alone and self._is_set_in_environment(value, at))
            or (how != "prose" and self._is_a_token(value, quote))
        ):
            return self._takes_a_phrase(at, spans)
        stop = at + len(value)
        if len(value) >= 300:  # the probe was cut: the rest of the run goes too
            rest = compiled(r"[^\s\"'`\\]*").match(self.text, stop)
            stop = stop if rest is None else rest.end()
        spans.append((at, stop, kind_of(self.name)))
        return True

    def _takes_a_phrase(self, at: int, spans: list[Span]) -> bool:
        """Judge the words up to the end of the line or sentence: a passphrase without quotes."""
        first = compiled(r"([^\W\d_]{3,12}) [^\W\d_]").match(self.text, at)
        if self.says < 2 or first is None or first.group(1).lower() in PLAIN:
            return False
        phrase = compiled(
            r"[^\W\d_]{3,12}(?: [^\W\d_]{1,12}){3,24}(?=[ \t]{0,4}(?:[.,;#]?\s|\Z))"
        ).match(self.text, at)
        if phrase is None or not is_passphrase(phrase.group()):
            return False
        if not PLAIN.isdisjoint(phrase.group().lower().split(" ")):
            return False  # without quotes a sentence looks the same
        spans.append((at, phrase.end(), kind_of(self.name)))
        return True

    def _is_set_in_environment(self, value: str, at: int) -> bool:
        """`API_TOKEN=abcd1234efgh` alone on its line: nobody gives a constant such a name and value."""
        if not self.name.isupper() and (self.says == 1 or self.text[at - 1] != "="):
            return False
        shape = r"(?=[\d_.\-]{0,80}[A-Za-z])(?=[A-Za-z_.\-]{0,80}\d)[A-Za-z0-9_.\-]{12,80}\Z"
        return compiled(shape).match(value) is not None

    def _is_a_token(self, value: str, quote: str) -> bool:
        """`api_key: velvet-granite-maple`: what opens something may be made of words."""
        if (
            self.says > 1
            or not opens_something(self.name)
            or (not quote and compiled(r"[A-Za-z_][\w.]*\Z").match(value) is not None)
        ):
            return False
        return (
            is_strong(value)
            or is_made_of_words(value)
            or (":" not in value and is_passphrase(value))
        )

    def stands_on_a_line(self) -> bool:
        """Whether `name = value` is a line of its own: the value goes up to the next blank."""
        stem = self.before.rstrip(" \t+-")
        for order in ("export", "set", "ENV", "local", "declare"):
            if stem.endswith(order):
                stem = stem[: -len(order)].rstrip(" \t+-")
        return (len(stem) == 0 and self.start < 80) or stem.endswith(("\n", "\r", "\\n"))


def _value_pattern(quote: str) -> re.Pattern[str]:
    if not quote:
        return compiled(r"[^\s\"'`]{1,300}")
    if len(quote) > 1:  # an escaped quote: the text is inside a string of JSON
        return compiled(r"[^\\\"'`\r\n]{1,300}")
    return _QUOTED[quote]


_SHUT = {"“": "”", "„": "“”", "«": "»", "‘": "’"}
_QUOTED = {
    mark: re.compile(r"(?:[^" + _SHUT.get(mark, mark) + r"\\\r\n]|\\.){1,300}") for mark in _QUOTES
}
