"""Secrets taken out of text before anything is stored.

Secrets here: tokens of known kinds, private keys, values of a name of secrecy (`password = …`, in
nine languages and in the syntaxes of code, configuration, SQL, tables, command lines and prose),
credentials in URLs and headers, long random strings, and three kinds of personal data (e-mail and
public network addresses, social security numbers). These stay: hashes, digests, UUIDs, public keys
and certificates, references such as `${TOKEN}`, placeholders, identifiers, names of tests, and
addresses of private networks.

Each way of knowing a secret is one module. `secret_tokens` knows tokens by their issuers and long runs by their
looks. `named_secrets` finds names (`secret_words`) and their values, given by a sign (`given_values`), by a blank
or words (`spoken_secrets`) or in a column. `secret_shapes` needs no name: forms, flags, URLs, calls. Personal data
is found here, and what matches a pattern of the user. The look of a value is judged by `secret_values` for all.

How it stays cheap. Runs are found with `find`, which is ten times faster than a pattern, names and
forms by `Literals`, all in one pass. A pattern runs only where one of them was found, and each is
bounded or begins with a fixed character and holds one class, so no text makes it slow.
`tests/policy/secrets/test_redaction.py` holds it.

These modules run on Python 3.8 and import only `re`, `binascii` and the imports of `re` itself:
when the daemon cannot be reached, the hook loads them by file path and redacts its spool.
"""

from __future__ import annotations

import re

from actors.policy.secrets.named_secrets import name_scan, stems_outside_ascii
from actors.policy.secrets.secret_shapes import LITERALS, shape_scan
from actors.policy.secrets.secret_tokens import run_scan
from actors.policy.secrets.secret_values import (
    LONG,
    MARKER,
    Span,
    compiled,
    fits,
    holds,
    is_yours,
    past,
)
from actors.policy.secrets.secret_words import STEMS, STEMS_OUTSIDE_ASCII, Literals

SHORTEST = 6  # characters: `a@b.co`
MOST_READINGS = 8  # of one text; each but the first reads what the one before has changed

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Redact = Callable[[str], "tuple[str, list[str]]"]


def redacted(text: str) -> tuple[str, list[str]]:
    """Return `text` with every secret replaced by `[REDACTED]`, and the kinds found, in order.

    Redacting again changes nothing: a changed text is read until a reading finds nothing.
    """
    kinds: list[str] = []
    if len(text) < SHORTEST:
        return text, kinds
    for _ in range(MOST_READINGS):
        spans = _spans(text)
        if not spans:
            break
        pieces: list[str] = []
        at = 0
        for start, end, kind in _merged(spans):
            pieces.extend((text[at:start], MARKER))
            kinds.append(kind)
            at = end
        pieces.append(text[at:])
        text = "".join(pieces)
    return text, kinds


_LITERALS = Literals((*STEMS, *LITERALS))
_STEMS = frozenset((*STEMS, *STEMS_OUTSIDE_ASCII))


def _spans(text: str) -> list[Span]:
    """Return every secret of `text`; they may overlap."""
    spans: list[Span] = []
    raw = text.encode("ascii", "replace")  # a byte for each character, of which no other is sought
    lower = raw.lower().decode("ascii")
    hits = _LITERALS.hits(lower)
    if not text.isascii():
        hits += stems_outside_ascii(text)
    run_scan(text, raw, spans)
    name_scan(text, [hit for hit in hits if hit[1] in _STEMS], spans)
    shape_scan(text, hits, spans)
    personal_scan(text, raw, spans)
    return [span for span in spans if _is_one(text[span[0] : span[1]], span[2])]


def _is_one(value: str, kind: str) -> bool:
    """Tell whether a span holds a secret: no empty text, no mark of one taken out, no request for one."""
    if value == "" or MARKER in value:
        return False
    return kind == "email" or len(value) > LONG or not is_yours(value)


def _merged(spans: list[Span]) -> list[Span]:
    """Return spans in order, overlapping ones joined under the kind of the first one."""
    spans.sort(key=lambda span: (span[0], -span[1]))
    merged = [spans[0]]
    for start, end, kind in spans[1:]:
        before = merged[-1]
        if start < before[1]:
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, kind))
    return merged


# ---- personal data: e-mail addresses, public network addresses, social security numbers
#
# Addresses of private networks stay: they reach no further, and are often the fact learnt.


_ALGORITHMS = ("@openssh.com", "@libssh.org")  # `aes256-gcm@openssh.com`
_LOCAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
_NOT_TOP_LEVEL = ("png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "css", "js", "ts", "py", "md")


def _mail_addresses(text: str, spans: list[Span]) -> None:
    """E-mail addresses; `git@host:path`, `icon@2x.png` and `package@1.2` are none."""
    pattern = r"@(?:[A-Za-z0-9\-]{1,63}\.){1,8}(xn--[a-z0-9\-]{1,59}|[A-Za-z]{2,24})(?![A-Za-z0-9])"
    for found in compiled(pattern).finditer(text):
        head = text[max(0, found.start() - 64) : found.start()]
        stem = head.rstrip(_LOCAL)
        local = head[len(stem) :].lstrip(".%+-")
        if stem.endswith("\\") and local[:1] in ("n", "r", "t"):  # an escape, not a letter
            local = local[1:]
        url = stem.endswith(("://", ":")) and "://" in head
        if (
            local
            and local != "git"
            and not url
            and not found.group().endswith(_ALGORITHMS)
            and found.group(1).lower() not in _NOT_TOP_LEVEL
        ):
            spans.append((found.start() - len(local), found.end(), "email"))


# These begin with what is rare in text; what stands before it is looked at when it was found.
_IPV4 = re.compile(r"\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\.?\w)")
_IPV6 = re.compile(r":[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]*")
_IPV6_WHOLE = r"[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:(?:\.\d{1,3}){3})?\Z"
_VERSION_BEFORE = r"(?i)(?:version|ver|release|==|~=|>=|<=|\^|[A-Za-z]/)[\"'\s:=]{0,4}\Z"


def _is_private(parts: list[int]) -> bool:
    """Tell whether an address is the same everywhere or reaches no further than its network."""
    first, second = parts[:2]
    return (
        first in (0, 10, 127)
        or first >= 224
        or (first, second) in ((192, 168), (169, 254))
        or (first == 172 and 16 <= second < 32)
        or (first == 100 and 64 <= second < 128)
        or parts[:3] in ([192, 0, 2], [198, 51, 100], [203, 0, 113])  # of documents: RFC 5737
    )


def _network_addresses(text: str, spans: list[Span]) -> None:
    """Find IPv4, unless it is private or a version number."""
    for found in _IPV4.finditer(text):
        head = text[max(0, found.start() - 4) : found.start()]
        start = found.start() - len(head) + len(head.rstrip("0123456789"))
        before = text[start - 1] if start else " "
        if start == found.start() or before.isalnum() or before in "._":
            continue
        parts = [int(part) for part in text[start : found.end()].split(".")]
        if max(parts) > 255 or _is_private(parts):
            continue
        if max(parts) < 10 or (parts[0] < 10 and max(parts) < 100):  # 3.54.1.0 is a version
            continue
        if not holds(_VERSION_BEFORE, text[max(0, start - 16) : start]):
            spans.append((start, found.end(), "ip"))


def _network_addresses_6(text: str, spans: list[Span]) -> None:
    """Find IPv6 but for `::`, `::1` and private ones."""
    for found in _IPV6.finditer(text):
        end = found.end()
        after = text[end : end + 1]
        if after.isalnum() or after == "_" or found.start() + 44 < end:
            continue
        head = text[max(0, found.start() - 5) : found.start()]
        start = found.start() - len(head) + len(head.rstrip("0123456789abcdefABCDEF"))
        before = text[start - 1] if start else " "
        if before.isalnum() or before in "_:.":
            continue
        value = text[start:end].rstrip(".")
        if _is_ipv6(value):
            spans.append((start, start + len(value), "ip"))


def _is_ipv6(value: str) -> bool:
    if value in ("::", "::1") or ":::" in value or value.count("::") > 1:
        return False
    if fits(r"(?i)f[cde][0-9a-f]{2}:|ff[0-9a-f]{2}:", value):  # private, multicast
        return False
    if not fits(_IPV6_WHOLE, value) or not holds(r"\d", value):
        return False
    if value.count(":") < 4 and not holds(r"[0-9A-Fa-f]{3}", value):
        return False  # `[1::2]` is a slice
    quad = value.rpartition(":")[2]
    dotted = "." in quad
    if dotted and max(map(int, quad.split("."))) > 255:
        return False
    full = value.count(":") == (6 if dotted else 7) and "" not in value.split(":")
    return "::" in value or full


_PERSON = r"([0-9]{3})([\- .])([0-9]{2})\2([0-9]{4})(?![\w\-]|\.\d)"
# Every digit is `0` and every separator `-`: one search finds the form.
_FORM = bytes(48 if 48 <= code <= 57 else 45 if code in b"- ." else code for code in range(256))


def _person_numbers(text: str, raw: bytes, spans: list[Span]) -> None:
    """United States social security and taxpayer numbers, written with separators."""
    form = raw.translate(_FORM)
    at = form.find(b"000-00-0000")
    while at >= 0:
        found = compiled(_PERSON).match(text, at)
        at = form.find(b"000-00-0000", at + 1)
        if found is None:
            continue
        before = text[found.start() - 1] if found.start() else " "
        area, _, group, serial = found.groups()
        if before.isalnum() or before in "_.-" or area in ("000", "666"):
            continue
        if group == "00" or serial == "0000" or (area[0] == "9" and group in ("89", "93")):
            continue
        if area[0] != "9" or "50" <= group <= "65" or group >= "70":
            spans.append((found.start(), found.end(), "person-number"))


def personal_scan(text: str, raw: bytes, spans: list[Span]) -> None:
    """Find personal data; a look for a literal spares most texts the patterns.

    `raw` is `text` in ASCII, a byte for each character.
    """
    if "@" in text:
        _mail_addresses(text, spans)
    if "." in text:
        _network_addresses(text, spans)
    if ":" in text:
        _network_addresses_6(text, spans)
    _person_numbers(text, raw, spans)


# ---- patterns of the user's own beside these rules: they add, they take nothing away
#
# A pattern is a regular expression of which every match is a secret. It must stay linear in the text,
# whoever wrote the text, so its parsed form is checked before it is used. A repeat of a part itself
# of many lengths is refused: there backtracking has no end. Of the other repeats each multiplies the
# cost of one attempt; the product is bounded, closely for a pattern with any beginning, less closely
# for one with fixed first characters, which is tried only at these and no further than `WINDOW`.


MOST = 50  # patterns
LONGEST = 300  # characters of a pattern
WINDOW = 1_024  # characters that one match may take; a word at its end is taken whole
ANYWHERE = 64  # ways that an attempt may try at most, of a pattern that may begin anywhere
AT_PREFIX = 4 * WINDOW  # and of one that is tried only where its first characters stand
PREFIX = 2  # fixed characters with which such a pattern begins, at least
KIND = "user-pattern"

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_ZERO_WIDTH = ("AT", "ASSERT", "ASSERT_NOT")
_PLAIN = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "AT", "RANGE", "CATEGORY")
# What Python warns of: a set in a set, or an operation on sets.
_SET = re.compile(r"(?<!\\)\[\^?\[|(?<!\\)\[[^\]]*(?:--|&&|~~|\|\|)")
# The parser of `re` itself, by the name of its version; no stub tells its types.
_PARSER: Any = getattr(re, "_parser", None) or getattr(re, "sre_parse", None)


class BadPattern(ValueError):
    """A pattern cannot be used; the text names it and says why, in one line."""


class Pattern:
    """A checked pattern, and the places worth trying; raises ``BadPattern`` when it cannot be used."""

    def __init__(self, pattern: str) -> None:
        shown = f"the pattern {pattern[:60]!r}"
        if len(pattern) > LONGEST:
            raise BadPattern(f"{shown} has {len(pattern)} characters: the limit is {LONGEST}")
        if _SET.search(pattern) is not None:
            raise BadPattern(
                f"{shown} may mean another set in a later Python: escape its [ - & ~ |"
            )
        try:
            compiled = re.compile(pattern)
            tree: Any = _PARSER.parse(pattern)
            prefix = "".join(_prefix(tree))
            ways = _ways(tree, shown)
        except (re.error, RecursionError, OverflowError) as error:
            raise BadPattern(f"{shown} is no regular expression: {error}") from None
        if tree.getwidth()[0] == 0 or compiled.search("") is not None:
            raise BadPattern(f"{shown} matches an empty text")
        if compiled.search(MARKER) is not None and compiled.search("x" * 40) is not None:
            raise BadPattern(f"{shown} matches everything")
        begins = len(prefix) >= PREFIX
        if ways > (AT_PREFIX if begins else ANYWHERE):
            fixed = "" if begins else f"begin with {PREFIX} fixed characters, or "
            raise BadPattern(f"{shown} would cost too much: {fixed}bound its repeats ({{1,40}})")
        self._compiled = compiled
        ignores_case = compiled.flags & re.IGNORECASE
        self._prefix = re.compile(f"(?={re.escape(prefix)})", ignores_case) if begins else None

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans at which it matches, in order, none over another."""
        if self._prefix is None:
            yield from (found.span() for found in self._compiled.finditer(text))
            return
        end = 0
        for start in (place.start() for place in self._prefix.finditer(text)):
            found = None if start < end else self._compiled.match(text, start, start + WINDOW)
            if found is not None:
                end = found.end()
                if end == start + WINDOW:  # it may go on
                    end = past(r"\S*", text, end)
                yield start, end


def with_patterns(redact: Redact, patterns: Iterable[str]) -> Redact:
    """`redact`, after replacing every match of the patterns; raises ``BadPattern`` for the first unfit one."""
    if isinstance(patterns, str):
        raise BadPattern("patterns are a list")
    listed = list(patterns)
    if len(listed) > MOST:
        raise BadPattern(f"{len(listed)} patterns: there may be {MOST}")
    checked = [Pattern(pattern) for pattern in listed]
    if not checked:
        return redact

    def redacted(text: str) -> tuple[str, list[str]]:
        kinds: list[str] = []
        for pattern in checked:
            text = _replaced(text, pattern, kinds)
        cleaned, found = redact(text)
        return cleaned, kinds + found

    return redacted


def _replaced(text: str, pattern: Pattern, kinds: list[str]) -> str:
    """The text without the matches, each of which adds a kind; the part between two markers is read by itself."""
    pieces: list[str] = []
    for part in text.split(MARKER):
        cleaned: list[str] = []
        at = 0
        for start, end in pattern.spans(part):
            cleaned += (part[at:start], MARKER)
            kinds.append(KIND)
            at = end
        pieces.append("".join(cleaned) + part[at:])
    return MARKER.join(pieces)


def _ways(items: Any, shown: str) -> int:
    """Number of ways an attempt may go on, at most; raises ``BadPattern`` for one without end."""
    ways = 1
    for operation, given in items:
        name = operation.name
        if name in _REPEATS:
            ways *= _ways_of_repeat(given, shown)
        elif name == "BRANCH":
            ways *= sum(_ways(choice, shown) for choice in given[1])
        elif name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT"):
            ways *= _ways(given[-1], shown)
        elif name == "ATOMIC_GROUP":
            ways *= _ways(given, shown)
        elif name not in _PLAIN:
            raise BadPattern(f"{shown} refers to a group: that is not linear")
    return ways


def _ways_of_repeat(given: Any, shown: str) -> int:
    least, most, body = given
    within = _ways(body, shown)
    if most == 1:
        return 1 + within
    narrowest, widest = body.getwidth()
    if within > 1 or narrowest != widest:
        raise BadPattern(f"{shown} has a repeat within a repeat: that is not linear")
    return int(min(most, WINDOW)) - int(min(least, WINDOW)) + 1


def _prefix(items: Any) -> Iterator[str]:
    """The first characters of every match; nothing without width stands before them."""
    for operation, given in items:
        name = operation.name
        if name == "LITERAL":
            yield chr(given)
        elif name == "SUBPATTERN" and not given[1] and not given[2]:
            inner = list(given[-1])
            yield from _prefix(inner)
            if any(one.name != "LITERAL" for one, _ in inner):
                return
        elif name not in _ZERO_WIDTH:
            return
