"""Secrets known by the name they are given to, in the syntaxes for joining a name to a value.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from actors.policy.secrets.assigned_secrets import JOIN, joined, paired
from actors.policy.secrets.given_values import Given
from actors.policy.secrets.literals import Literals
from actors.policy.secrets.secret_values import LETTERS, LONG, compiled, is_random
from actors.policy.secrets.secret_words import (
    KEYS_OF,
    LOGINS,
    OPENERS,
    PUBLIC,
    STEMS,
    STEMS_OUTSIDE_ASCII,
    strength,
)
from actors.policy.secrets.spoken_secrets import logged_in, opened, renewed, said_before, spoken
from actors.policy.secrets.tabular_secrets import Table, below, beside

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterable

    from actors.policy.secrets.secret_values import Span

_IDENTIFIER = LETTERS + "0123456789_."
_DASHED = _IDENTIFIER + "-"
_GOES_ON = frozenset((*_DASHED, "\\", ""))  # before a stem: its name may have begun further ahead
_TAIL = re.compile(r"[\w.\-]{0,48}")
_NAMES = Literals(STEMS)
# First bytes in UTF-8 of letters that no word of English has, Latin and Cyrillic: signs and dashes alone
# are no reason to look for stems.
_FOREIGN = bytes((*range(0xC3, 0xCA), *range(0xD0, 0xD4)))


def stems_outside_ascii(text: str) -> list[tuple[int, str]]:
    """Return where which stems of other alphabets stand in `text`."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded.translate(None, _FOREIGN)) == len(encoded):
        return []
    # U+0130 alone changes length when lower-cased; positions must be those of `text`.
    lower = text.replace("\u0130", "i").lower()
    return [
        (found.start(), stem)
        for stem in STEMS_OUTSIDE_ASCII
        for found in compiled(stem).finditer(lower)
    ]


def name_scan(text: str, hits: Iterable[tuple[int, str]], spans: list[Span]) -> None:
    """Find values of names of secrecy; `hits`: places and stems."""
    first = done = 0  # where the last name began and ended
    table = Table()
    for at, stem in hits:
        if stem in LOGINS:
            logged_in(text, at + len(stem), spans)
        elif stem == "new one":
            renewed(text, at, spans)
        if first <= at < done:
            continue
        if stem in OPENERS:
            opened(text, at, spans)
            continue
        if stem in ("bearer", "basic"):
            first, done = at, _presented(text, at + len(stem), stem, spans)
        else:
            first, done = _bounds(text, at, at + len(stem))
            done = _named(text, first, done, table, spans)


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the identifier around a stem begins and ends."""
    first = start
    if text[start - 1 : start] in _GOES_ON:
        before = text[max(0, start - 64) : start]
        head = before.rstrip(_DASHED)
        first = start - len(before) + len(head)
        if head.endswith("\\") and text[first] in "nrt":  # an escape, not a letter
            first += 1
        while text[first] in "-.":
            first += 1
    tail = _TAIL.match(text, end)
    last = end if tail is None else tail.end()
    while last > end and text[last - 1] in "-.":
        last -= 1
    return first, last


_FOLLOWS = " \t\r\n\"'`’\\)]}*?!=:|>,({<;[-%&"


def _named(text: str, start: int, end: int, table: Table, spans: list[Span]) -> int:
    """Find the value of the name between `start` and `end`; return where to go on."""
    if text.startswith(("pass phrase", "Pass phrase", "pass Phrase"), end - 4):
        end += 7
    name = text[start:end]
    if text.startswith("...", end):  # the leader of a column: `password......: x`
        end += len(text[end : end + 48]) - len(text[end : end + 48].lstrip("."))
    if text[end : end + 1] not in _FOLLOWS:  # or the name is longer than any that people write
        return end
    says = strength(name)
    if not says:
        return end
    if says == 1 and text[start - 1 : start] == " ":
        says = _beside(text[max(0, start - 24) : start])
        if not says:
            return end
    given = Given(text, start, name, says)
    join = JOIN.match(text, end)
    if (
        paired(given, end, spans)
        or (join is not None and joined(given, join, spans))
        or (
            text[end : end + 1] in " \t:;,?('’["
            and text[end : end + 3] != " | "
            and spoken(given, end, spans)
        )
        or (text[start - 1 : start] == " " and says >= 2 and said_before(given, spans))
    ):
        return max(end, given.read)
    if says == 3 and text[end : end + 1] in "\"'`* \t|,;" and beside(given, end, spans):
        return end
    if not table.begin <= start < table.end:
        below(given, end, table, spans)
    return max(end, given.read)


def _beside(before: str) -> int:
    """Return how much a key or token says by the word before it: `public key`, `wifi key`."""
    word = before.split()[-1].strip("\"'`*(").lower() if before.strip() else ""
    if word in PUBLIC or word in ("no", "unexpected", "invalid", "expected", "missing"):
        return 0
    if word in ("wifi", "wi-fi", "wlan"):
        return 3
    return 2 if word in KEYS_OF else 1


def _presented(text: str, end: int, word: str, spans: list[Span]) -> int:
    """Find `Bearer …` and `Basic …`, wherever they stand; return where to go on."""
    match = compiled(r"[ \t]{1,4}([A-Za-z0-9_.\-~+/]{8,}=*)").match(text, end)
    if match is None:
        return end
    value = match.group(1)
    if is_random(value[:LONG], 12) or (word == "basic" and hides_a_secret(value)):
        spans.append((match.start(1), match.end(1), word))
    return match.end(1)


def hides_a_secret(run: str) -> bool:
    """Return whether a run is base64 of text in which there is a secret."""
    if "_" in run or "-" in run[:24]:
        return False
    body = run.rstrip("=")
    body = body[: len(body) // 4 * 4] if len(body) % 4 == 1 else body + "=" * (-len(body) % 4)
    try:
        plain = a2b_base64(body)
    except (Error, ValueError):
        return False
    if plain.translate(None, _PRINTABLE):
        return False
    shown = plain.decode("ascii")
    if compiled(r"[A-Za-z][\w.\-@]{1,40}:[^\s:/]{6,64}\s{0,2}\Z").match(shown) is not None:
        return True
    spans: list[Span] = []
    name_scan(shown, _NAMES.hits(shown.lower()), spans)
    return any(kind not in ("email", "ip", "person-number") for _, _, kind in spans)


_PRINTABLE = bytes(range(32, 127)) + b"\t\r\n"
