"""Tokens of known kinds, and long runs of characters that look drawn."""

from __future__ import annotations

import re

from actors.policy.secrets.named_secrets import hides_a_secret
from actors.policy.secrets.secret_values import (
    CASE_RUN,
    LETTERS,
    TURN,
    Span,
    compiled,
    fits,
    holds,
    past,
    sections,
    trie,
    wordiness,
)

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterator

# ---- tokens of known kinds: how they begin and go on, as their issuers publish it
#
# The lengths are minima: a longer token is a token. A pattern is one prefix and one class, without a
# second part to fail late, so a hint costs at most its own match.


def rules_by_hint() -> dict[str, list[tuple[str, str]]]:
    """Return for each hint the trie can find the kinds and patterns to try there."""
    classes = sections("secret_issuers")
    forms = (line.split(" | ", 2) for line in classes.pop("forms"))
    rules = [(kind, prefixes.split(), body) for kind, prefixes, body in forms]
    for characters, rows in classes.items():
        for kind, least, *prefixes in map(str.split, rows):
            rules.append((kind, prefixes, characters + "{" + least + ",}"))
    every = sorted({prefix for _, prefixes, _ in rules for prefix in prefixes})
    hints: list[str] = []
    for prefix in every:  # sorted: what a prefix begins with comes before it
        if not (hints and prefix.startswith(hints[-1])):
            hints.append(prefix)
    by_hint: dict[str, list[tuple[str, str]]] = {hint: [] for hint in hints}
    for kind, prefixes, body in rules:
        pattern = "(?:" + "|".join(map(re.escape, prefixes)) + ")(?:" + body + ")"
        for hint in {next(h for h in hints if prefix.startswith(h)) for prefix in prefixes}:
            by_hint[hint].append((kind, pattern))
    return by_hint


_TABLE = sections("secret_tokens")
_RULES = rules_by_hint()
# A token begins where no letter or digit stands before it. Taking that character along, instead of
# looking back at it, lets the engine leap over words.
_HINT = "[^A-Za-z0-9](" + trie(list(_RULES)) + ")"
_LONGEST_HINT = max(map(len, _RULES))
_SHORTEST_RUN = 16  # characters
_REACH = 18  # characters before a run in which the prefix may begin: `xoxe.xoxb-`, `dt0c01.`


def _alphabet(characters: str) -> bytes:
    """Return the table for turning a run's characters into `a`, all else into a blank."""
    return bytes(97 if chr(code) in characters else 32 for code in range(256))


_RUN = _alphabet(LETTERS + "0123456789_-")
_BASE64_RUN = _alphabet(LETTERS + "0123456789_-+/")


def _runs(raw: bytes, alphabet: bytes, least: int) -> Iterator[tuple[int, int]]:
    """Yield where runs of at least `least` characters of `alphabet` begin and end."""
    marks = raw.translate(alphabet) + b" "
    wanted = b"a" * least
    start = marks.find(wanted)
    while start >= 0:
        end = marks.find(b" ", start)
        yield start, end
        start = marks.find(wanted, end)


def run_scan(text: str, raw: bytes, spans: list[Span]) -> None:
    """Find tokens of known kinds, and long strings that look drawn; `raw` is `text` in ASCII."""
    last = 0
    for start, end in _runs(raw, _RUN, _SHORTEST_RUN):
        last = _tokens(text, max(last, start - _REACH), start, end, spans)
        if end - start >= 24:
            _shaped_token(text, start, end, spans)
        if text[start] in "MNO":  # user id, time and signature
            bot = compiled(r"[MNO][\w\-]{22,28}\.[\w\-]{6,7}\.[\w\-]{27,40}").match(text, start)
            if bot is not None:
                spans.append((start, bot.end(), "discord"))
    blocks = _public_blocks(text)
    begin, stop = next(blocks)
    for start, end in _runs(raw, _BASE64_RUN, _SHORTEST_RUN):
        while stop <= start:
            begin, stop = next(blocks)
        if start < begin and (end - start >= 24 or text[end : end + 1] == "="):
            _random_run(text, start, end, spans)


def _tokens(text: str, at: int, start: int, end: int, spans: list[Span]) -> int:
    """Try the rules of every hint from `at` to the run's end; return where the last token ends."""
    begins = [0] if at == 0 else []
    if text[start - 1 : start] in ("\\", "%"):  # in JSON or a URL: `\\n`, `%3D`
        begins.append(start + (2 if text[start - 1] == "%" else 5 if text[start] == "u" else 1))
    for begin in begins:
        first = compiled(_HINT).match(" " + text[begin : begin + _LONGEST_HINT])
        if first is not None:
            at = max(_token_at(text, begin, first.group(1), spans) - 1, begin + 1)
            break
    found = compiled(_HINT).search(text, at, end)
    while found is not None:
        # One back: the last character of what was read may stand before the next token.
        at = max(_token_at(text, found.start(1), found.group(1), spans) - 1, found.start() + 1)
        found = compiled(_HINT).search(text, at, end)
    return at


def _token_at(text: str, start: int, hint: str, spans: list[Span]) -> int:
    """Try the rules of one hint; return where to go on searching."""
    if hint == "eyJ":
        return _json_web_token(text, start, spans)
    for kind, pattern in _RULES[hint]:
        match = compiled(pattern).match(text, start)
        if match is not None:
            different = set(match.group()[len(hint) :])
            # A masked token (`sk-xxxx…`) is passed over whole: four characters hold no other.
            if len(different) > 4 or different.isdisjoint("xX01*#."):
                spans.append((start, match.end(), kind))
            return match.end()
    return start + len(hint)


def _json_web_token(text: str, start: int, spans: list[Span]) -> int:
    """Find header, dot, payload. The header's run is read once: a run of `eyJ` stays linear."""
    end = past(r"[\w\-]*", text, start)
    rest = compiled(r"\.[\w\-]{8,}(?:\.[\w\-+/=]*){0,3}").match(text, end)
    if rest is not None and end - start >= 10:
        spans.append((start, rest.end(), "jwt"))
        return rest.end()
    if end - start >= 70 and text.startswith("eyJrIjoi", start):  # Grafana's older keys
        spans.append((start, end, "encoded-json"))
    return end


def _shaped_token(text: str, start: int, end: int, spans: list[Span]) -> None:
    """Find tokens known by their shape, without a prefix."""
    size = end - start
    run = text[start : min(end, start + 256)]
    before = text[max(0, start - 32) : start]
    if size <= 38 and fits(r"[0-9a-f]{32}-us[0-9]{1,2}\Z", run):
        spans.append((start, end, "mailchimp"))
    elif run[0] in "Aa" and size <= 40 and holds(r"[0-9]{5,16}:\Z", before):
        spans.append((start, end, "telegram"))
    elif fits(r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", run):
        spans.append((start, end, "maxmind"))
    elif (
        fits(_TABLE["unknown issuer"][0], run)
        and _is_drawn(run)
        and not fits(_NAMED_RUN, run)
        and not holds(_HASH_BEFORE, before)
        and text[end : end + 1] not in ("+", "/")
    ):
        spans.append((start, end, "token"))
    elif size >= 60 and before.endswith(".atlasv1.") and len(set(run)) > 12:
        spans.append((max(0, start - 23), end, "terraform"))
    elif size <= 41 and holds(r"(?:\A|\D)\d{15,16}[|%]\Z", before):
        spans.append((start - 17 + (before[-17:-16] not in "0123456789"), end, "facebook"))
    elif size == 64 and holds(r"pat[A-Za-z0-9]{14}\.\Z", before):
        spans.append((start - 18, end, "airtable"))


def _is_drawn(run: str) -> bool:
    """Return whether the last part of a run has letters of both cases and digits in turns, and no words."""
    body = compiled(r"[_\-]").split(run)[-1]
    turns = len(compiled(TURN).findall(body))
    return body != body.lower() and body != body.upper() and turns * 6 >= len(body)


# What tells that a long run is a digest, a picture or a public key, and not a secret.
_HASH_BEFORE = _TABLE["hash before"][0]
_NAMED_RUN = _TABLE["named run"][0]
# The first bytes of pictures, fonts and archives, of OpenSSH's public keys (AAAA…) and of DER
# (MI…) in base64. What begins a private key in DER is told apart by `_PRIVATE_DER`.
_PUBLIC_RUNS = (
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "AAAAIGZ0", "PHN2Zy", "d09GM", "H4sI",
    "UEsDB", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAG", "MII", "MIG", "MFkw", "MFIw",
    "MFYw", "MHYw", "MCow", "AGFzbQ", "T2dnUw", "SUQz", "eyJ2ZXJzaW9uIjoz",
)  # fmt: skip
# PKCS #1 and PKCS #8: a sequence whose first element is the number 0 or 1.
_PRIVATE_DER = r"M(?:II[A-Za-z0-9+/]{3}IBA(?:AK|DAN)|H[cQ]CAQE|I[GH][A-Za-z0-9+/]AgE[AB]|C4CAQAw)"
_UNIT = r"\.(?:jpe?g|png|gif|svg|webp|css|m?jsx?|tsx?|map|woff2?|html?|py|md|json|wasm|whl|onion)\b"


def _public_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield beginnings and ends of PEM blocks without private content; last, the end of it all."""
    at = text.find("-----BEGIN ")
    while at >= 0:
        end = text.find("-----END ", at)
        # A block that was cut ends where no certificate is longer.
        end = at + 8192 if end < 0 else min(end, at + 8192)
        if "PRIVATE" not in text[at : at + 48]:
            yield at, end
        at = text.find("-----BEGIN ", end)
    yield len(text) + 1, len(text) + 1


def _random_run(text: str, start: int, end: int, spans: list[Span]) -> None:
    """Judge a long run: a private key in base64, a credential in base64, or a drawn string."""
    size = end - start
    run = text[start : min(end, start + 256)]
    if run.startswith(_PUBLIC_RUNS):
        if run[0] == "M" and size >= 40 and fits(_PRIVATE_DER, run):
            spans.append((start, end, "private-key"))
        return
    before = text[max(0, start - 32) : start]
    if size in (64, 76):
        close = text.find("-----END ", end, end + 8192)
        if close >= 0 and "PRIVATE" not in text[close : close + 48]:
            return  # a line of a public block without its beginning
    if (
        size >= 40
        and _has_high_entropy(run, before)
        and "base64," not in before
        and not fits(_UNIT, text, end)
    ):
        spans.append((start, end, "high-entropy"))
        return
    if hides_a_secret(text[start : min(end, start + 4096)]):
        spans.append((start, end, "base64"))


def _has_high_entropy(run: str, before: str) -> bool:
    """Many different characters, digits among them, and no words: not a path, not an identifier."""
    if len(set(run)) < 16 or not run.strip("0123456789abcdefABCDEF-_"):
        return False
    if run[:2] == "0x" and not run[2:].strip("0123456789abcdefABCDEF"):
        return False
    if "/" in run and (run[0] == "/" or before[-1:] in "./~"):  # a path: its longest part counts
        run = max(run.split("/"), key=len)
    bare = compiled(r"(?<![A-Za-z0-9])[0-9A-Fa-f]{4,}(?![A-Za-z0-9])").sub("", run)
    if len(bare) < 36:  # a name with a digest or a UUID in it
        return False
    upper = run != run.lower()
    if len(compiled(r"\d").findall(run)) < (2 if upper else 5) or "abcdefghijklm" in run.lower():
        return False
    if fits(_NAMED_RUN, run) or holds(_HASH_BEFORE, before):
        return False
    if len(compiled(TURN).findall(bare)) * 7 >= len(bare):
        return True
    words: list[str] = compiled(CASE_RUN).findall(run) if upper else []
    return sum(map(len, words)) < 0.45 * len(run) and wordiness(run) < 0.36
