"""Values given to a name by words or a blank: sentences in nine languages, logins, flags, orders, configuration."""

from __future__ import annotations

import re

from actors.policy.secrets.given_values import (
    Given,
    names_a_login,
    opening,
    phrase_end,
    phrase_start,
)
from actors.policy.secrets.secret_values import (
    OF_THE_TRADE,
    Span,
    compiled,
    fits,
    holds,
    is_likely,
    is_passphrase,
    is_quoted_phrase,
    is_random,
    is_secret,
    is_strong,
    past,
    sections,
    words,
)
from actors.policy.secrets.secret_words import ABOUT, SAYS

_TABLE = sections("spoken_secrets")
# Words that give a value to the name before them, some words between: `heslo na server je …`.
_BETWEEN = r"(?:['’]s(?= )|,(?= ))?(?: ?[(\[][^\n()\[\]]{1,30}[)\]])?"
_VERB = re.compile(_BETWEEN + _TABLE["verb"][0])
_COLON = re.compile(_BETWEEN + _TABLE["colon"][0])
# A key or token is named in code more often than in sentences: plain words alone stand between.
_OF_A_KEY = re.compile(_TABLE["of a key"][0])
# What answers a question for a password, on the same line or the next.
_ANSWER = re.compile(_TABLE["answer"][0])
_ASIDE = re.compile(r"(?: [^\s\"'`=:;.(){}<>|]{1,24}){0,6} \(([^\s()]{6,40})\)")
_REQUEST = re.compile(_TABLE["request"][0])
# One of them stands among the last words before the name, or a bracket does: a look at these spares the pattern.
_GIVERS = frozenset("is as als ist comme como come de jako как je est es for at into".split())
_SAID_BEFORE = r"(?:^|[\s\"'`(])([^\s\"'`(]{6,60})([\"'`]?)" + _TABLE["given to"][0]

_NO_WORDS_END = ":;()[]{}=<>|."  # before a blank: no word of a sentence ends so


def spoken(given: Given, end: int) -> bool:
    """Judge a value behind blanks or words: a flag, an order, a quotation, a sentence."""
    bare = (  # what became of a test, a way through a loop
        len(given.name) == 4
        and given.name.lower() == "pass"
        and not names_a_login(given.before)
        and not (given.stands_on_a_line() and given.text.startswith((" is ", " was ", " - "), end))
        and not holds(_TABLE["somebodys"][0], given.before)
    )
    # Between them a network device tells the type of what follows.
    blank = compiled(r"[ \t]{1,24}(?:[05789] (?=\S{6}))?").match(given.text, end)
    if blank is not None:
        known = _behind_a_blank(given, end, blank.end(), bare)
        if known is not None:
            return known
    if given.before.endswith("/") or bare or fits(r" --?[A-Za-z]", given.text, end):
        return False  # a program and its flags: `sshpass -f …`
    return _in_a_sentence(given, end)


# What goes on as a sentence and gives no value: `set the password to …`, `set PASSWORD before running`.
_SENTENCE = r"(?:to|is|was|are|ist|est|es|je|jest) |[a-z]{2,12} [a-z]{2,12}(?![\w=:\-])"


def _behind_a_blank(given: Given, end: int, at: int, bare: bool) -> bool | None:
    """Judge the value at `at`; None where a sentence may go on there."""
    quote, start = opening(given.text, at)
    if is_on_a_device(given) and takes_after_its_type(given, end):
        return True
    if not quote and fits(OF_THE_TRADE, given.text, start):
        return None
    goes_on = given.before[-1:] not in "-/" and fits(_SENTENCE, given.text, start)
    if not goes_on and is_ordered(given.before):
        return given.take(start, quote, "flag")
    if given.says == 3 and in_a_netrc(given.text, given.start):
        return given.take(start, quote, "flag")
    if bare or (
        given.name.lower() == "pwd"
        and not fits(r"(?:for|of|to|is|für|du|pour|de|para) ", given.text, at)
    ):
        return _is_all_there_is(given, start)
    if quote:
        how = "sql" if given.name.isupper() else "prose"
        return given.says >= 2 and given.take(start, quote, how)
    if given.says == 3 and is_a_directive(given, at) and given.take(at, "", "flag"):
        return True
    return None


# What a password has or is one of, and no value: `the password policy is …`, `password length: …`.
_OF_A_PASSWORD = ABOUT - words(_TABLE["of a password"]) | frozenset(
    "policy expires expired expire quality age history authentication".split()
)


def _is_all_there_is(given: Given, at: int) -> bool:
    """Judge a value alone with a bare `pass` or `pwd`, in brackets or on a line."""
    said = compiled(r"([^\s\"'`()]{6,64})[\"'`]?(?:\)|[ \t]{0,4}(?:\r?\n|\Z))").match(
        given.text, at
    )
    if said is None or not (given.before[-1:] == "(" or given.stands_on_a_line()):
        return False
    return is_likely(said.group(1)) and given.take(at, "", "flag")


# What no plain words hold: without it nothing in a clause can be a password, but for a phrase.
_TELLING = re.compile(r"[^a-z\s.,;:'’()]")
_CLAUSE = 120  # characters behind a name


def _in_a_sentence(given: Given, end: int) -> bool:
    """Judge the value given by a verb, a colon, an answer or the place right behind the name."""
    text = given.text
    telling = _TELLING.search(text, end, end + _CLAUSE) is not None
    if given.says == 1 and not telling:
        return False
    about = compiled(r" ([a-z]{2,16})(?! ?/)\b").match(text, end)
    if about is not None and about.group(1) in _OF_A_PASSWORD:
        return False
    verb = None
    for pattern in (_VERB, _COLON) if given.says > 1 else (_OF_A_KEY,):
        said = pattern.match(text, end)
        if said is not None and _taken(given, said.end()):
            return True
        verb = verb or said
    if given.says < 3 or _is_a_phrase_of_a_login(given, end):
        return given.says == 3
    if not telling:
        return False
    return _is_answered(given, end) or _in_a_clause(given, end, verb)


# Before a name that hands over what stands behind it: `log in with the password …`; 12 characters at most.
_WITH = r"(?i:,|\b(?:with|and|use|mit|und|con|y|avec|et|com|e|s|z|i|и|с))(?: (?:the|this|my|our|das|dem|la|le|el|mot de))? \Z"


def _is_a_phrase_of_a_login(given: Given, end: int) -> bool:
    """Judge the words right behind a name of a hand-over: `user bob, password …`."""
    at = stop = 0
    request = _REQUEST.match(given.text, end)
    if request is not None:
        at = request.start(1)
        stop = phrase_end(given.text, at, True)
    elif given.text.startswith(", ", end):
        at = end + 2
        stop = phrase_end(given.text, at, True)
    elif given.text[end : end + 1] == " " and holds(_WITH, given.before[-16:]):
        at = end + 1
        stop = phrase_end(given.text, at, False)
    else:
        below = compiled(_TABLE["below"][0]).match(given.text, end)
        if below is not None:
            at = below.start(1)
            stop = below.end(1) if is_likely(below.group(1)) else phrase_end(given.text, at, True)
    return stop > 0 and given.keep(at, stop)


def _is_answered(given: Given, end: int) -> bool:
    """Judge an answer to a question, a value in brackets or one after a request."""
    for pattern in (_ANSWER, _ASIDE, _REQUEST):
        found = pattern.match(given.text, end)
        if found is None:
            continue
        value = found.group(1).rstrip(".,;:!?)")
        if is_secret(value, 3, "prose") if pattern is _ANSWER else is_likely(value):
            return given.keep(found.start(1), found.start(1) + len(value))
    return False


def _in_a_clause(given: Given, end: int, verb: re.Match[str] | None) -> bool:
    """Judge a value right behind the name, behind a later verb, or anywhere in the clause."""
    text = given.text
    at = past(r",?[ \t]{1,24}", text, end)
    value = compiled(r"[^\s\"'`]{6,64}").match(text, at) if at > end else None
    if value is not None and is_likely(value.group().rstrip(".,;:!?)")):
        return given.take(at, "", "prose")
    if verb is None:
        is_near = at > end and text[end] != ","
        return is_near and (given.take(at, "", "prose") or _told(given, at))
    later: re.Match[str] | None = verb
    for _ in range(2):
        later = None if later is None else _VERB.match(text, later.end() - 1)
        if later is not None and _taken(given, later.end()):
            return True
    return _told(given, verb.end())


def _taken(given: Given, at: int) -> bool:
    """Judge the value behind a verb or a colon, in quotes or not."""
    quote, start = opening(given.text, past(r"[ \t]{1,8}", given.text, at))
    if not quote and fits(OF_THE_TRADE, given.text, start):
        return False
    return given.take(start, quote, "prose")


def _told(given: Given, at: int) -> bool:
    """Judge the words up to the end of a clause: `the password on that box used to be h4ckME99`."""
    if not given.name.isalpha() or given.text[given.start - 1 : given.start] not in (" ", "\n", ""):
        return False
    clause = compiled(r"(?: ?[^\s:;()\[\]{}=<>|]{1,40}){1,12}").match(given.text, at)
    if clause is None:
        return False
    for word in compiled(r"[^\s\"'`,]{6,40}").finditer(clause.group()):
        value = word.group().rstrip(".,!?")
        if value.isalpha():
            continue  # two classes at most
        if (
            is_strong(value)
            or is_random(value, 12)
            or (given.name[0] > "\u0400" and is_secret(value, 3, "prose"))
        ):  # among Cyrillic words one of Latin letters and digits
            return given.keep(at + word.start(), at + word.start() + len(value))
    return False


def said_before(given: Given) -> bool:
    """Judge a value before its name: `use h4ckme99 as the password`."""
    head = given.text[max(0, given.start - 120) : given.start]
    if head[-2:-1] in _NO_WORDS_END:
        return False
    offset = given.start - len(head)
    if given.says == 3 and _is_a_phrase_before(given):
        return True
    if _TELLING.search(head) is None:
        return False
    gives = not _GIVERS.isdisjoint(head.rsplit(" ", 6)) or " (" in head
    found = compiled(_SAID_BEFORE).search(head) if gives else None
    if found is None:
        return given.says == 3 and _told_before(given, head)
    quoted = found.group(2) != "" and " as " in head[found.end(1) :]
    if not is_secret(found.group(1), given.says, "prose", quoted=quoted):
        return False
    return given.keep(offset + found.start(1), offset + found.end(1))


def _is_a_phrase_before(given: Given) -> bool:
    """Judge the words before a name given to them: `use … as the password`."""
    text = given.text
    tail = compiled(_TABLE["phrase given to"][0]).search(
        text, max(0, given.start - 72), given.start
    )
    if tail is None:
        return False
    end = tail.start() - (text[tail.start() - 1] == ",")
    quote = text[end - 1 : end]
    start = phrase_start(text, end)
    if quote and quote in "\"'`":
        end -= 1
        start = text.rfind(quote, max(0, end - 80), end) + 1
        if start == 0 or " " not in text[start:end] or not is_quoted_phrase(text[start:end]):
            return False
    return start >= 0 and given.keep(start, end)


def _told_before(given: Given, head: str) -> bool:
    """Judge the words of a request before the name: `type h4ckME99 when it wants the password`."""
    found = compiled(
        r"(?:^|[\s,])(?:[Tt]ype|[Ee]nter|[Uu]se|[Tt]ry|[Gg]ive|[Pp]ut|[Ss]et|[Mm]ake|[Ii]t['’]s|[Cc]['’]est|[Tt]ape|[Mm]ets|[Pp]on|[Ee]scribe|[Gg]ib|[Nn]imm|[Zz]adej|[Ww]pisz|[Вв]веди) [\"'`]?([^\s\"'`]{8,40})[\"'`]?"
        r"(?: [^\s:;()\[\]{}=<>|.]{1,16}){1,7} \Z"
    ).search(head)
    if found is None or not is_likely(found.group(1).rstrip(".,?")):
        return False
    offset = given.start - len(head)
    return given.keep(offset + found.start(1), offset + found.end(1))


_LOGIN = re.compile(_TABLE["login"][0])
# Without a word between the two: the second must look like nothing else.
_LOGIN_AND_MORE = re.compile(_TABLE["login and more"][0])


def logged_in(text: str, at: int, spans: list[Span]) -> None:
    """Judge the value behind a user's name: `log in with admin / h4ckme99`."""
    found = _LOGIN_AND_MORE.match(text, at)
    if found is not None and is_strong(found.group(1).rstrip(".,;:?)")):
        spans.append((found.start(1), found.end(1), "password"))
    found = _LOGIN.match(text, at)
    if found is None:
        return
    value = found.group(1).rstrip(".,;:!?)")
    if value.strip("0123456789:TZ+") and is_secret(value, 3, "prose"):
        spans.append((found.start(1), found.end(1), "password"))
    elif (end := phrase_end(text, found.start(1), True)) > 0:
        spans.append((found.start(1), end, "password"))


# What opens something is a passphrase, without a word for it: `unlock the disk with …`, `the phrase is …`.
_OPENED = re.compile(_TABLE["opened"][0])


def opened(text: str, at: int, spans: list[Span]) -> None:
    """Judge the value for opening something, or the words of a phrase."""
    found = _OPENED.match(text, at)
    if found is None:
        return
    begin = found.end()
    end = phrase_end(text, begin, False)
    word = compiled(r"[^\s\"'`”»]{6,64}").match(text, begin)
    if end == 0 and found.group(1):
        quoted = compiled(r"[^\"'`”»*\n]{6,200}(?=[\"'`”»*])").match(text, begin)
        if quoted is not None and " " in quoted.group() and is_quoted_phrase(quoted.group()):
            end = quoted.end()
    if end == 0 and word is not None and is_strong(word.group().rstrip(".,;:?)")):
        end = begin + len(word.group().rstrip(".,;:?)"))
    if end:
        spans.append((begin, end, "passphrase"))


def renewed(text: str, at: int, spans: list[Span]) -> None:
    """Judge the new one in a sentence about a secret: `it leaked, the new one is X`."""
    before = text[max(0, at - 160) : at]
    found = compiled(r"new one(?: is| =|:)?:?(?: now:?)? [\"'`“]?([^\s\"'`”]{6,64})").match(
        text, at
    )
    if found is None or not holds(r"(?i)pass|pw\b|pwd|secret|token|rotat|leak|cred|key", before):
        return
    value = found.group(1).rstrip(".,;:!?)")
    end = phrase_end(text, found.start(1), False)
    if end or is_likely(value):
        spans.append((found.start(1), end or found.start(1) + len(value), "password"))


# ---- values behind a blank: flags, orders, lines of configuration


# What an order holds: to look for one spares most names the pattern.
_ORDERS = (*"set put config env -- enable isakmp -server username neighbor".split(),)
_ORDER = r"(?:\b(?:set|put|setx|setenv|config|env|enable|isakmp|[a-z]{4,8}-server|username|neighbor)(?:[ \t][\w.\-]{1,24}){0,4}|--secret|--global|--plain)[ \t]{1,4}[\w./:\-]{0,60}\Z"
_DEBCONF = r"(?:^|[\s'\"])[\w.\-]{1,40} [\w.\-]{1,40}/[\w./\-]{1,60} \Z"
_DEVICE_NAMES = words(_TABLE["device names"])
_NAMES_ON_A_DEVICE = _DEVICE_NAMES | {"password", "passwd", "key", "secret", "message-digest-key"}


def is_on_a_device(given: Given) -> bool:
    """Return whether a name stands in a line of a network device or of an installer's answers."""
    if given.name not in _NAMES_ON_A_DEVICE:
        return False
    if given.name in _DEVICE_NAMES and given.stands_on_a_line():
        return True
    line = given.before.rpartition("\n")[2]
    if fits(_TABLE["device"][0], line):
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
    near = before[-64:].lower()
    return any(map(near.__contains__, _ORDERS)) and holds(_ORDER, near)


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
