"""A name of secrecy in its text, and the judging of its value: a word, a passphrase, or what a sign gives to it."""

from __future__ import annotations

import re

from actors.policy.secrets.secret_values import (
    LONG,
    PART,
    PLAIN,
    Span,
    compiled,
    fits,
    holds,
    in_a_row,
    is_made_of_words,
    is_passphrase,
    is_secret,
    is_strong,
    past,
    sections,
    words,
)
from actors.policy.secrets.secret_words import SETTINGS, kind_of, opens_something

_QUOTES = "\"'`“„«‘"
QUOTE = re.compile(r"(?:[bBrRuULN@]{1,2}(?=[\"']))?(\\{0,3}[\"'`“„«‘])(?:(?<=«)[ \u00a0\u202f])?")


def opening(text: str, at: int) -> tuple[str, int]:
    """Return the quotation mark at a place, empty without one, and where the value behind it begins."""
    opened = QUOTE.match(text, at)
    return ("", at) if opened is None else (opened.group(1), opened.end())


class Given:
    """A name, its place, and its degree of secrecy; the text around it, and the secrets found there."""

    __slots__ = ("before", "name", "read", "says", "spans", "start", "text")

    def __init__(self, text: str, start: int, name: str, says: int, spans: list[Span]) -> None:
        self.text, self.start, self.name, self.says, self.spans = text, start, name, says, spans
        self.before = text[max(0, start - 80) : start]
        self.read = 0  # up to where there is nothing more to find

    def keep(self, start: int, end: int) -> bool:
        """Keep the place of a secret; true, as every judgement is that finds one."""
        self.spans.append((start, end, kind_of(self.name)))
        return True

    def take(self, at: int, quote: str, how: str) -> bool:
        """Judge the value beginning at `at`; keep its place if it is a secret."""
        probe = _value_pattern(quote).match(self.text, at)
        if probe is None:
            return False
        value = probe.group().rstrip(" \u00a0\u202f") if quote == "«" else probe.group()
        if len(value) > LONG and len(set(value)) < 20:
            self.read = probe.end()  # the same few characters over and over
            return False
        alone = how == "assigned" and not quote and self.stands_on_a_line()
        in_words = not quote and value.isalpha() and fits(r"[ \t]\w", self.text, probe.end())
        if in_words:
            # A word of grammar begins none.
            if value.lower() not in _GRAMMAR and self._takes_a_phrase(at):
                return True
            if alone:  # a word of a sentence
                return False
        if how == "prose" and not quote:
            if fits(r"[A-Za-z_]{2,16}=\w", value):
                return False  # the next field of a log
            value = value.rstrip(".,;:?)]}*_")
            if not holds(r"\d!{1,3}\Z", value):
                value = value.rstrip(".,;:!?)]}*_")
        elif not quote:
            if not alone:
                value = compiled(r"[\\,;&<>|]").split(value, 1)[0]
            value = value.rstrip(")]},;")
        if not quote:
            value = compiled(r"\\[nrtu]").split(value, 1)[0]  # the escape of a line's end
        if not (
            is_secret(value[:LONG], self.says, how, quoted=bool(quote), alone=alone)
            or (alone and self._is_set_in_environment(value, at))
            or (how != "prose" and self._is_a_token(value, quote))
        ):
            return not in_words and self._takes_a_phrase(at)
        stop = at + len(value)
        if len(value) >= 300:  # the probe was cut: the rest of the run goes too
            stop = past(r"[^\s\"'`\\]*", self.text, stop)
        return self.keep(at, stop)

    def _takes_a_phrase(self, at: int) -> bool:
        """Judge the words in a value's place: a passphrase without quotes."""
        if self.says < 2 or not fits(r"[^\W\d_]{3,14} \w", self.text, at):
            return False
        if at == self.start + len(self.name) + 1 and self.text[at - 1] == " ":
            return False  # right behind the name a heading looks the same: `password rotation breaks …`
        given = holds(_GIVES, self.text, max(0, at - 12), at)
        least = 3 if given and "phrase" in self.name.lower() else 4
        end = phrase_end(self.text, at, not given, least)
        if self.says == 2 and self.text.count(" ", at, end) < 3:
            return False
        return end > 0 and self.keep(at, end)

    def _is_set_in_environment(self, value: str, at: int) -> bool:
        """`API_TOKEN=abcd1234efgh` alone on its line: nobody gives a constant such a name and value."""
        if not self.name.isupper() and (self.says == 1 or self.text[at - 1] != "="):
            return False
        shape = r"(?=[\d_.\-]{0,80}[A-Za-z])(?=[A-Za-z_.\-]{0,80}\d)[A-Za-z0-9_.\-]{12,80}\Z"
        return fits(shape, value)

    def _is_a_token(self, value: str, quote: str) -> bool:
        """`api_key: velvet-granite-maple`: a key to something may be made of words."""
        if (
            self.says > 1
            or not opens_something(self.name)
            or (not quote and fits(r"[A-Za-z_][\w.]*\Z", value))
        ):
            return False
        return (
            is_strong(value)
            or is_made_of_words(value)
            or (":" not in value and is_passphrase(value))
        )

    def stands_on_a_line(self) -> bool:
        """Return whether `name = value` is a line of its own: the value goes up to the next blank."""
        stem = self.before.rstrip(_MARKS)
        for order in ("export", "set", "ENV", "local", "declare"):
            if stem.endswith(order):
                stem = stem[: -len(order)].rstrip(_MARKS)
        if self.text.startswith((":", "=", " ="), self.start + len(self.name)):
            label = stem[max(stem.rfind(" "), stem.rfind("\n")) + 1 :]
            if 1 < len(label) <= 16 and label.isalnum() and label not in _NO_LABELS:
                stem = stem[: len(stem) - len(label)].rstrip(_MARKS)
        return (len(stem) == 0 and self.start < 80) or stem.endswith(("\n", "\r", "\\n"))


def _value_pattern(quote: str) -> re.Pattern[str]:
    if not quote:
        return compiled(r"[^\s\"'`]{1,300}")
    if len(quote) > 1:  # an escaped quote: the text is inside a string of JSON
        return compiled(r"[^\\\"'`\r\n]{1,300}")
    return _QUOTED[quote]


# What stands before a name at the beginning of a line: signs of a list or a comment.
_MARKS = " \t+-*#/>•"
# Words that no label of one word is: they begin a declaration or go on a sentence.
_NO_LABELS = frozenset(
    "const let var public private protected readonly static final def if return elif while and or not val auto string"
    " String char str this case when in of to the is a".split()
)
# Right before a value: what gives it to the name, whatever the sentence says next.
_GIVES = r"(?:[:=→>*]|\b(?:is|was|it['’]s|ist|lautet|est|es|je|to|jest|это))[ \t\"'`]{0,4}\Z"
_SHUT = {"“": "”", "„": "“”", "«": "»", "‘": "’"}
_QUOTED = {
    mark: re.compile(r"(?:[^" + _SHUT.get(mark, mark) + r"\\\r\n]|\\.){1,300}") for mark in _QUOTES
}


# ---- passphrases without quotes: words in a row as in no sentence
#
# People draw them from a list (Diceware, Reinhold 1995) and write them among other words. A sentence
# has a word of grammar among any four; drawn words seldom do, and where one stands the phrase is
# over.


_PHRASES = sections("passphrases")
_GRAMMAR = PLAIN | words(_PHRASES["grammar"])
_ORDERS = words(_PHRASES["orders"])
_WORD = r"(?:[^\W\d_]{2,14}|\d{1,4})[!?]?"
_WORDS = r"[^\W\d_]{3,14}(?: (?:[^\W\d_]{2,14}|\d{1,4})[!?]?){2,24}"
_STOPS = r"[.,;:]?(?:[ \t\r\n]|\Z)| ?[)\]\"'`”»]|[ ]?[–—-][ ]"
_MOST = 25  # words, as a seed phrase has


def phrase_end(text: str, at: int, whole: bool, least: int = 4) -> int:
    """Return the end of a passphrase of `least` words beginning at `at`, 0 if there is none.

    `whole`: the phrase must go on to the end of its clause; else a word of grammar may follow. Where
    it goes on so, three words are enough if one is a number.
    """
    found = compiled(_WORDS).match(text, at)
    if found is None:
        return 0
    end, words = at, 0
    for word in found.group().split(" "):
        if word.rstrip("!?").lower() in _GRAMMAR:
            break
        end += len(word) + (words > 0)
        words += 1
    stopped = end < found.end()
    numbered = not stopped and holds(r" \d", text, at, end)
    if words < (3 if numbered else 4 if stopped else least) or (whole and stopped):
        return 0
    return end if stopped or fits(_STOPS, text, end) else 0


_AS = (" as ", " als ", " comme ", " como ", " jako ", " как ")


def phrase_start(text: str, end: int) -> int:
    """Return the start of a passphrase ending at `end`, behind an order to use it, -1 if there is none."""
    first = text.rfind("\n", max(0, end - 160), end) + 1
    words = text[max(first, end - 160) : end].split(" ")
    start, at = end, len(words)
    while at and fits(_WORD + r"\Z", words[at - 1]):
        word = words[at - 1].rstrip("!?").lower()
        if word in _GRAMMAR or word in _ORDERS or len(words) - at >= _MOST:
            break
        at -= 1
        start -= len(words[at]) + 1
    if len(words) - at < 4:
        return -1
    before = words[at - 1].lower() if at else ""
    asked = before in _ORDERS or before.endswith((":", "=", ","))
    asked = asked or (before in _GRAMMAR and text.startswith(_AS, end))
    return start + 1 if asked or (at == 0 and start + 1 == first) else -1


# ---- values given by a sign: `=`, `:`, `=>`, a closing tag, a comma, a pair of fields


_TABLE = sections("given_values")
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
        before = compiled(_TABLE["value before"][0])
        found = before.search(text, max(0, given.start - 400), given.start)
        if found is not None and is_secret(found.group(1)[:LONG], given.says, "cell", quoted=True):
            return given.keep(*found.span(1))
    return False
