"""Secrets known by the text around them, without a name: URLs, SQL, calls, command lines."""

from __future__ import annotations

import re
from itertools import islice

from actors.policy.secrets.given_values import is_of_a_user
from actors.policy.secrets.named_secrets import (
    codes,
    files_of_secrets,
    kubernetes,
    users_in_sections,
)
from actors.policy.secrets.secret_values import (
    LETTERS,
    LONG,
    REFERENCE,
    Span,
    compiled,
    fits,
    holds,
    in_a_row,
    is_likely,
    is_placeholder,
    is_random,
    is_secret,
    sections,
    words,
)
from actors.policy.secrets.secret_words import strength

_TABLE = sections("secret_shapes")
# ---- forms of a secret without a name, each a pattern with the secret as its first group: `secret_patterns.txt`


def _shapes(table: dict[str, list[str]]) -> dict[str, list[tuple[str, str, str]]]:
    """Return the forms by a literal necessary in the lower-cased text: kind, how the value is judged, pattern."""
    parts = [line.partition(" ") for line in table.pop("parts")]
    shapes: dict[str, list[tuple[str, str, str]]] = {}
    for literals, lines in table.items():
        rows: list[tuple[str, str, str]] = []
        for line in lines:
            kind, judged, pattern = line.split(" ", 2)
            for name, _, part in parts:
                pattern = pattern.replace("@" + name + "@", part)
            rows.append((kind, judged.strip("-"), pattern))
        for literal in literals.split("|"):
            shapes[literal.replace("\\n", "\n")] = rows
    return shapes


SHAPES = _shapes(sections("secret_patterns"))


# ---- flags of command line tools: `mysql -p…`, `curl -u user:…`, as the tools document it


_FLAG = re.compile(_TABLE["flag"][0])
# A user's name behind its own flag: what `-p` holds next is the password, whatever the tool.
_USER_FLAG = r" -(?:[uU]|-user(?:name)?)[= ][\"']?[\w.@\\\-]{1,64}[\"']?\Z"


def commands(text: str, spans: list[Span]) -> None:
    """Find a command line tool's secret behind a flag of another sense elsewhere."""
    for found in _FLAG.finditer(text):
        head = text[max(0, found.start() - 200) : found.start()]
        command = compiled(r"[|;&\n]").split(head.replace("\\\n", " "))[-1]
        words = {word.rpartition("/")[2].lower() for word in command.strip("`$(\"'").split()}
        behind_user = found.group(1) == "p" and holds(_USER_FLAG, command)
        for tools, between in _ANY_TOOL if behind_user else _BY_FLAG[found.group(1)]:
            if words.isdisjoint(tools) and not behind_user:
                continue
            value = compiled(between + _TABLE["argument"][0]).match(text, found.end())
            group = 0 if value is None else value.lastindex or 0
            if value is not None and _is_argument_secret(value.group(group)):
                spans.append((*value.span(group), "password"))
                break


def _by_flag() -> dict[str, list[tuple[frozenset[str], str]]]:
    """Return for each flag its tools, and the text before the secret."""
    flags: dict[str, list[tuple[frozenset[str], str]]] = {}
    for line in sections("flag_secrets")["flags"]:
        names, tools, between = line.split(" | ", 2)
        for name in names.split():
            flags.setdefault(name, []).append((frozenset(tools.split()), between[1:-1]))
    return flags


_BY_FLAG = _by_flag()
_ANY_TOOL = [(frozenset(""), r"[= ]?")]


def _is_argument_secret(value: str) -> bool:
    """Return whether an argument is a secret: no reference, no placeholder, no port, no path."""
    if fits(r"\d{1,5}(?::\d{1,5})?(?:/\w+)?\Z|[./~]|[a-z]{1,24}:\w|\d+\.\d", value):
        return False
    return is_secret(value, 3, "flag", quoted=True)


_BEGIN_KEY = r"-----BEGIN[ A-Z0-9_\-]{0,60}PRIVATE KEY(?: BLOCK)?-{0,5}"
_END_KEY = r"-----END[ A-Z0-9_\-]{0,60}PRIVATE KEY(?: BLOCK)?-{0,5}"
# Behind BEGIN: headers, signs of a string, and the first characters of base64.
_BODY_BEGINS = r"(?:\\[nr]|[\s\"'+,\\>|]){0,80}(?:[A-Za-z\-]{4,16}: [^\n\\]{1,80}(?:\\[nr]|\s){1,4}){0,4}[A-Za-z0-9+/=]{4}"
_KEY_BODY = LETTERS + "0123456789+/=\\\r\n \t>|"


def _private_keys(text: str, spans: list[Span]) -> None:
    """From BEGIN to END; without an END, to the end of the text; without a BEGIN, back from END."""
    at = 0
    end = compiled(_END_KEY).search(text)
    begin = compiled(_BEGIN_KEY).search(text)
    while begin is not None or end is not None:
        if begin is None or (end is not None and end.start() < begin.start()):
            assert end is not None
            start = at + len(text[at : end.start()].rstrip(_KEY_BODY))
            if end.start() - start >= 8:
                spans.append((start, end.end(), "private-key"))
            at = end.end()
        elif not fits(_BODY_BEGINS, text, begin.end()):  # code that looks for one
            at = begin.end()
            begin = compiled(_BEGIN_KEY).search(text, at)
        else:
            end = compiled(_END_KEY).search(text, begin.end())
            at = len(text) if end is None else end.end()
            spans.append((begin.start(), at, "private-key"))
            begin = compiled(_BEGIN_KEY).search(text, at)
        end = compiled(_END_KEY).search(text, at)


def _urls(text: str, spans: list[Span]) -> None:
    """`scheme://user:password@host` and `scheme://token@host`."""
    pattern = r"://(?:[^\s/@:\"'<>\\]{0,128}:([^\s@/\"'<>\\]{1,256})|([\w\-]{20,128}))@"
    for found in compiled(pattern).finditer(text):
        group = 1 if found.group(1) is not None else 2
        value = found.group(group)
        if (
            "${" in value
            or (value.isupper() and value.isalpha())
            or fits(REFERENCE, value)
            or len(set(value)) < 3
        ):
            continue
        if value.lower() in _WRITTEN_FOR_ONE or is_placeholder(value):
            continue
        if group == 1 or is_random(value, 20):
            spans.append((*found.span(group), "url-password"))


_WRITTEN_FOR_ONE = words(_TABLE["written for one"])
# Behind the stem of what logs in: `auth=(`, `NetworkCredential(`, `Credentials::new(`.
_OPENS = re.compile(r"(?!or(?!i))[A-Za-z_]{0,14}(?:::new|\.new)?[\"']?(?:\(|\s?[=:]\s?[(\[])")
# Or a user and a password: `HTTP_AUTH=bob:x`.
_PAIR = re.compile(_TABLE["pair"][0])
_LOGS_IN = ("auth", "login", "cred", "connect", "basic", "sign in", "signin")


def _calls(text: str, hits: list[tuple[int, str]], spans: list[Span]) -> None:
    """Find the strings behind the first argument of a login: `auth=("u", "p")`."""
    for start, stem in hits:
        if stem not in _LOGS_IN:
            continue
        pair = _PAIR.match(text, start + len(stem))
        if pair is not None and is_of_a_user(pair.group(1), pair.group(2)):
            spans.append((*pair.span(2), "password"))
        call = _OPENS.match(text, start + len(stem))
        if call is None:
            continue
        given = compiled(r"[;\n]").split(text[call.end() : call.end() + 240], 1)[0]
        least = 2 if stem == "connect" else 1
        strings = compiled(r"[\"']([^\"'\r\n]{0,128})[\"']").finditer(given)
        for found in islice(strings, 4):
            if given.count(",", 0, found.start()) < least or given.count(")", 0, found.start()) > 1:
                continue
            if is_secret(found.group(1)[:LONG], 3, "cell", quoted=True):
                at = call.end()
                spans.append((at + found.start(1), at + found.end(1), "password"))


# Names of secrets of digits. A pin of a board has three at most.
_NUMBERS = ("pin", "puk", "passcode", "otp")
_PIN = re.compile(_TABLE["pin"][0])


def _pins(text: str, hits: list[tuple[int, str]], spans: list[Span]) -> None:
    """Find the digits given to a pin or a passcode: `SIM pin: 4711`."""
    for at, stem in hits:
        found = _PIN.match(text, at) if stem in _NUMBERS else None
        if found is not None:
            spans.append((*found.span(1), "otp"))


_INTO = r"(?i)\binto\s{1,8}[\w.\"`\[\]]{1,80}\s{0,4}\(([^()\r\n]{1,600})\)\s{0,8}values\s{0,8}"
_ROW = r"[\s,]{0,8}\(((?:[^()'\r\n]|'[^'\r\n]{0,200}'){1,1000})\)"
_CELL = r"\s{0,8}(?:N?'([^']{0,200})'|[^,']{1,200})(?:,|\Z)"
_ROWS = 200


def _inserts(text: str, spans: list[Span]) -> None:
    """Find the values of secret columns: `INSERT INTO users (name, password) VALUES (…)`."""
    for found in compiled(_INTO).finditer(text):
        columns = [strength(column) for column in found.group(1).split(",")]
        rows = in_a_row(_ROW, text, found.end()) if any(columns) else ()
        for row in islice(rows, _ROWS):
            for says, cell in zip(columns, compiled(_CELL).finditer(row.group(1)), strict=False):
                value = cell.group(1) or ""
                if says and is_secret(value[:LONG], says, "cell", quoted=True):
                    start = row.start(1) + cell.start(1)
                    spans.append((start, start + len(value), "password"))


# By a literal as well: what takes more than a pattern to judge.
_RULES = {
    "private key": _private_keys,
    "secret": kubernetes,
    "://": _urls,
    "-": commands,
    ") values": _inserts,
    ")\nvalues": _inserts,
    **dict.fromkeys(
        (mark + end for mark in words(_TABLE["of users"]) for end in ("]", ":\n")),
        users_in_sections,
    ),
    **dict.fromkeys(_TABLE["files of secrets"], files_of_secrets),
    "recovery": codes,
    "backup code": codes,
    "backup-code": codes,
}


# Sought one by one: they are short and frequent, or hold no rare character.
_MARKS = ("@", ":", "-", "<<<", "root")
LITERALS = (*({*SHAPES, *_RULES} - {*_MARKS}), "connect", "signin", *_NUMBERS)


def shape_scan(text: str, hits: list[tuple[int, str]], spans: list[Span]) -> None:
    """Find secrets known by the text around them.

    `hits`: places of literals and stems of names in the text.
    """
    met = {literal for _, literal in hits}
    met.update([mark for mark in _MARKS if mark in text])
    for literal in sorted(met):  # in one order, whatever the seed of hashing
        if literal in _RULES:
            _RULES[literal](text, spans)
        if literal in SHAPES:
            _shaped(text, SHAPES[literal], spans)
    if not met.isdisjoint(_LOGS_IN):
        _calls(text, hits, spans)
    if not met.isdisjoint(_NUMBERS):
        _pins(text, hits, spans)


def _shaped(text: str, shapes: list[tuple[str, str, str]], spans: list[Span]) -> None:
    for kind, how, pattern in shapes:
        for found in compiled(pattern).finditer(text):
            says = 2 if how == "token" else 3
            value = found.group(1)[:LONG]
            if how == "strong" and not is_likely(value.rstrip(".,:?)")):
                continue
            if how == "" or is_secret(value, says, how, quoted=how != "prose"):
                spans.append((*found.span(1), kind))
