"""Values given to a name by a sign (`=`, `:`, `=>`, a closing tag, a comma, a pair of fields), or by a blank behind it."""

from __future__ import annotations

import re

from actors.policy.secrets.given_values import Given, opening
from actors.policy.secrets.secret_values import (
    LONG,
    PART,
    PLAIN,
    compiled,
    fits,
    holds,
    in_a_row,
    is_passphrase,
    is_secret,
    past,
    sections,
    words,
)
from actors.policy.secrets.secret_words import SAYS, SETTINGS

_TABLE = sections("assigned_secrets")
# A sign between name and value. `${VAR:?…}` and `a::b` are none; a type may stand before `=`.
JOIN = re.compile(_TABLE["join"][0])
_TYPED = r"[&*']{0,2}[A-Za-z_][\w.<>\[\]|?&', ]{0,40}=(?![=>])[ \t]{0,3}"


def joined(given: Given, join: re.Match[str]) -> bool:
    """Judge a value behind a sign: `=`, `:`, `=>`, a closing tag, a comma, a bracket."""
    text, at, op = given.text, join.end(), join.group("op")
    if (
        given.name.lower() == "pass"
        and op == ":"
        and not given.before.endswith(" /")
        and _is_a_verdict(given, at)
    ):
        return False
    if op == ":":
        at = past(_TYPED, text, at)
    if given.says == 1 and given.name.lower().endswith(("auth", "authorization")):
        at = past(_SCHEME, text, at)
    wrapped = past(_TABLE["wrapped"][0], text, at)
    if given.says == 1 and holds(r"ytes\(|Buffer", text, at, wrapped):
        given.says = 2
    quote, at = opening(text, wrapped)
    how = "assigned"
    if not quote and _mapped(given, at):
        return True
    if not quote and given.says > 1 and _is_passed_on(given, join):
        how, given.says = "flag", 3
    if op in ",(" or op.endswith("("):
        if not quote or not _is_argument(given, join):
            return False
    elif not quote and text[at : at + 1] in "<[(":
        return False
    elif not quote and op[-1:] == "=" and op[:1].isalpha():
        return False  # `password and x = …`
    elif op == ">" and "<" not in given.before[-40:]:
        return False
    return given.take(at, quote, how)


_SCHEME = r"(?i)(?:Basic|Bearer|Token|Api-?Key|Digest|Key|Splunk|GoogleLogin)[ =]+"


_NO_USERS = SETTINGS | (PLAIN - frozenset("admin root guest user".split()))


def is_of_a_user(user: str, value: str) -> bool:
    """Return whether the value beside a name is a user's password, and no setting."""
    if any(word.lower() in _NO_USERS for word in PART.findall(user)):
        return False
    return not value.isalpha() and is_secret(value, 3, "cell", quoted=True)


def _mapped(given: Given, at: int) -> bool:
    """Judge the values of users in a mapping named with a plural of secrecy: `creds = {"bob": "x"}`."""
    taken = False
    for entry in in_a_row(_TABLE["entry"][0], given.text, at):
        group = 2 if entry.group(2) is not None else 4
        if is_of_a_user(entry.group(group - 1), entry.group(group)):
            taken = given.keep(*entry.span(group))
            given.read = entry.end()
    return taken


# Before a name in XML: the tag, or the attribute that names the value.
_TAG_BEFORE = r"(?:<(?:\w{1,12}:)?|(?:name|key)=[\"'])\Z"


def _is_passed_on(given: Given, join: re.Match[str]) -> bool:
    """Return whether a sign without blanks hands on a value and no name: `-e DB_PASSWORD=x`, `<pw>x</pw>`."""
    op, before = join.group("op"), given.before
    if op.startswith("</key>"):
        return True
    if op == ">":
        return holds(_TAG_BEFORE, before) and fits(r"[^\s<>]{4,80}</", given.text, join.end())
    if join.end() - join.start() != 1:
        return False
    if op == ":":
        return before.endswith(" /")
    if op != "=":
        return False
    if before.endswith((" -", " --", " /")):
        return True
    if given.name.isupper() and "_" in given.name:
        return before[-1:] in ("", " ", "\n", '"', "'")
    return holds(_TABLE["pair before"][0], before)


def _is_argument(given: Given, join: re.Match[str]) -> bool:
    """Return whether a comma or a bracket gives the next string to the name: `setPassword("x")`."""
    if len(join.group("op")) > 1:
        return True
    if join.group("op") == ",":
        if join.group("shut").strip(" \t") == "":
            return given.name.isupper() and (  # an option's number
                "_" in given.name or given.before.endswith("efine(")
            )
        call = compiled(
            r"([\w.]{2,40})\(\s?(?:[\w.]{1,16}, ?)?[\"'](?:[^\"'\s]{0,48}[\"'])?[^\"'\s]{0,48}\Z"
        ).search(given.before)
        return call is not None and holds(
            r"(?i)env|set|put|append|default|header|add|config|get|fill|type|input|define|flag",
            call.group(1),
        )
    if join.group("shut"):
        return False
    if given.name.lower().endswith(("add_pass", "addpass")):  # to a compiler
        return False
    first = PART.findall(given.name)[0].lower()
    return first in ("set", "with", "add", "use", "put") or given.before.endswith(
        (".", " ", "\n", "")
    )


def _is_a_verdict(given: Given, at: int) -> bool:
    """Return whether a bare `pass` with a colon is a test's result: `--- PASS: TestX (0.01s)`."""
    if given.before.endswith("--- ") or given.text.startswith(("Test", "test", "src/"), at):
        return True
    if names_a_login(given.before) or given.before.rstrip()[-1:] in ('"', "'", "{", ",", "&", "?"):
        return False
    return given.name.isupper() or not given.stands_on_a_line()


def names_a_login(before: str) -> bool:
    """Return whether a bare `pass` stands behind a user's name."""
    behind = r"(?i)(?:user(?:name)?|login|log in as)[\"']?[:= ]{1,3}\S{1,40}[\s,;/]{1,4}(?:and |with )?\Z"
    return holds(behind, before)


_FIELD = re.compile(
    r"[\"'\\\s,;)\]/>{:<-]{0,40}([A-Za-z_][\w\-]{0,24})[\"'\\]{0,4}\s{0,16}[:=>\s]\s{0,4}"
)
# Right behind a name: a look at one character spares the search.
_BEFORE_A_FIELD = "\"'\\ \t\r\n,;)]/>{:<-"
_SKIPPED = r"\\?\"[^\"\r\n]{0,80}\"|'[^'\r\n]{0,80}'|[^\s,;\"'{}<>]{0,60}"
_VALUES = ("value", "secret-string", "secretstring", "content", "body", "default")


def paired(given: Given, end: int) -> bool:
    """Judge the value beside a name: `{"Key": "db-password", "Value": "x"}`, in either order."""
    text = given.text
    if given.before.endswith('name="'):
        form = compiled(r"\"(?:\r?\n|\\r\\n){2}").match(text, end)  # a part of a posted form
        if form is not None:
            return given.take(form.end(), "", "cell")
    near = text[end : end + 200].lower()
    if text[end : end + 1] in _BEFORE_A_FIELD and any(map(near.__contains__, _VALUES)):
        at = end
        for _ in range(5):
            field = _FIELD.match(text, at)
            if field is None:
                break
            at = field.end()
            if field.group(1).lower().endswith(_VALUES):
                quote, start = opening(text, at)
                return given.take(start, quote, "cell")
            at = past(_SKIPPED, text, at)
    if text[end : end + 1] in "\"'" and holds(r"(?i)value|secret[\"']", given.before):
        head = text[max(0, given.start - 400) : given.start]
        found = compiled(_TABLE["value before"][0]).search(head)
        if found is not None and is_secret(found.group(1)[:LONG], given.says, "cell", quoted=True):
            offset = given.start - len(head)
            return given.keep(offset + found.start(1), offset + found.end(1))
    return False


# ---- values behind a name and a blank: flags, orders, lines of configuration


# What an order holds: to look for one spares most names the pattern.
_ORDERS = (*"set put config env -- enable isakmp -server username neighbor".split(),)
_ORDER = r"(?:\b(?:set|put|setx|setenv|config|env|enable|isakmp|[a-z]{4,8}-server|username|neighbor)(?:[ \t][\w.\-]{1,24}){0,4}|--secret|--global|--plain)[ \t]{1,4}[\w./:\-]{0,60}\Z"
_DEBCONF = r"(?:^|[\s'\"])[\w.\-]{1,40} [\w.\-]{1,40}/[\w./\-]{1,60} \Z"
_DEVICE = _TABLE["device"][0]
_DEVICE_NAMES = words(_TABLE["device names"])
_NAMES_ON_A_DEVICE = _DEVICE_NAMES | {"password", "passwd", "key", "secret", "message-digest-key"}


def is_on_a_device(given: Given) -> bool:
    """Return whether a name stands in a line of a network device or of an installer's answers."""
    if given.name not in _NAMES_ON_A_DEVICE:
        return False
    if given.name in _DEVICE_NAMES and given.stands_on_a_line():
        return True
    line = given.before.rpartition("\n")[2]
    if compiled(_DEVICE).match(line):
        return True
    return given.name in ("password", "passwd") and "/" in line and holds(_DEBCONF, line)


def takes_after_its_type(given: Given, end: int) -> bool:
    """Judge the value behind the words for how it is written: `password 7 …`, `key ascii-text "…"`."""
    found = compiled(_TABLE["type"][0]).match(given.text, end)
    if found is None:
        return False
    said, given.says = given.says, 3
    taken = given.take(found.end(), found.group(1), "flag")
    given.says = said
    return taken


def is_ordered(before: str) -> bool:
    """Return whether a flag begins, or an order with a name and a value: `kv put app/password x`."""
    stem = before.rstrip("-/")
    if len(stem) < len(before) and (not stem or stem[-1] in " \t\n\"'[("):
        return True
    words = before[-64:].lower()
    return any(map(words.__contains__, _ORDERS)) and holds(_ORDER, words)


def in_a_netrc(text: str, start: int) -> bool:
    """`machine m login l password p`; `user u pass p`."""
    before = text[max(0, start - 120) : start]
    if not ("login" in before or "user" in before or "-u" in before):
        return False
    behind = r"\b(?:login|user(?:name)?|-u)[ \t]{1,8}\S{1,64}[ \t\r\n,;/]{1,24}\Z"
    return holds(behind, before)


def is_a_directive(given: Given, at: int) -> bool:
    """Return whether a line is a name and one value: `requirepass h4ckme99`, `bindpw maple-amber-fox`."""
    line = compiled(r"([^\s\"';]{6,64});?[ \t]{0,8}(?:[#!][^\n]{0,80})?(?:\r?\n|\Z)").match(
        given.text, at
    )
    if line is None or given.name.isupper() or not given.stands_on_a_line():
        return False
    if given.name.lower() not in SAYS:  # no word of a sentence: `rootpw`, `auth_pass`
        return True
    return holds(r"[\d!@#$%^&*]", line.group(1)) or is_passphrase(line.group(1))
