"""Values that words give to a name: sentences in seven languages, and hand-overs of a login.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re

from actors.policy.events.assigned_secrets import names_a_login
from actors.policy.events.given_values import QUOTE, Given
from actors.policy.events.ordered_secrets import (
    in_a_netrc,
    is_a_directive,
    is_on_a_device,
    is_ordered,
    takes_after_its_type,
)
from actors.policy.events.secret_values import LONG, compiled, is_passphrase, is_secret
from actors.policy.events.secret_words import kind_of

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    Span = tuple[int, int, str]  # start, end, kind

# Words that give a value to the name before them, some words between: `heslo na server je …`.
_PROSE = re.compile(
    r"(?:['’]s(?= )|,(?= ))?(?: ?[(\[][^\n()\[\]]{1,30}[)\]])?"
    r"(?:(?: [^\s\"'`=:;.(){}<>|]{1,24}){0,7}? (?:is|was|are|be|to|as|equals|ist|lautet|war|heißt|auf|je|zní|na"
    r"|použij|nimm|est|[Cc]['’]est|[Ii]t['’]s|es|jest|brzmi|sera|será|это|такой|был|будет|на|сейчас|теперь|becomes|remains|stays|reads"
    r"|devient|reste|en|a|por|siendo|ser|queda|quedó|bleibt|zůstává|→|—|–|->)"
    r":? (?:(?:now|set to|currently|still|just|simply|literally|actually|again|back to|jetzt|nun|wieder|teď|zase"
    r"|maintenant|toujours|ahora|todavía|teraz|nadal|теперь|сейчас|снова):? )?"
    r"|(?: [^\s\"'`=:;,.(){}<>|]{1,24}){0,5} ?:[ \t]"
    r"|(?: (?:for|on|of) [^\n:]{1,60}): )"
)
# A key or token is named in code more often than in sentences: only what stands right behind it.
_PROSE_OF_A_KEY = re.compile(r"(?: (?:for|of) \w{1,24})?(?:: | (?:is|was|ist|je|est|es|to|это):? )")
_BLANK = re.compile(r"[ \t]{1,8}")
_SAID_BEFORE = (
    r"(?:^|[\s\"'`(])([^\s\"'`(]{6,60})([\"'`]?) (?:is|as|als|ist|comme|como|de|jako|как|je|est|es|for|at|into"
    r"|(?:when|if|once|whenever)(?: [a-z']{2,8}){0,2} (?:asked|prompted|asks|prompts) for)"
    r"(?: (?:the|my|your|our|a|new|das|mein|neues|le|la|el|moje|мой))?(?: [\w\-]{1,16}){0,2} \Z"
)


def spoken(given: Given, end: int, spans: list[Span]) -> bool:
    """Judge a value behind blanks or words: a flag, an order, a quotation, a sentence."""
    text, before = given.text, given.before
    bare = (  # what became of a test, a way through a loop
        given.name.lower() == "pass"
        and not names_a_login(before)
        and compiled(_SOMEBODYS).search(before) is None
    )
    blank = compiled(r"[ \t]{1,8}(?:[05789] (?=\S{6}))?").match(
        text, end
    )  # a network device's type
    at = end if blank is None else blank.end()
    opened = QUOTE.match(text, at)
    quote = "" if opened is None else opened.group(1)
    start = at if opened is None else opened.end()
    if blank is not None:
        if is_on_a_device(given) and takes_after_its_type(given, end, spans):
            return True
        if is_ordered(before):
            return given.take(start, quote, "flag", spans)
        if given.says == 3 and in_a_netrc(text, given.start):
            return given.take(start, quote, "flag", spans)
        if given.name.lower() == "pwd" or bare:
            return False
        if quote:
            how = "sql" if given.name.isupper() else "prose"
            return given.says >= 2 and given.take(start, quote, how, spans)
        if given.says == 3 and is_a_directive(given, at):
            return given.take(at, "", "flag", spans)
    said = (_PROSE if given.says > 1 else _PROSE_OF_A_KEY).match(text, end)
    if before.endswith("/") or bare:
        return False
    if said is None:
        return (
            blank is not None
            and given.says == 3
            and (given.take(at, "", "prose", spans) or _told(given, at, spans))
        )
    blank = _BLANK.match(text, said.end())
    at = said.end() if blank is None else blank.end()
    opened = QUOTE.match(text, at)
    if opened is None:
        return given.take(at, "", "prose", spans) or (given.says == 3 and _told(given, at, spans))
    return given.take(opened.end(), opened.group(1), "prose", spans)


# Before a bare `pass` that a sentence names: `the pass for that box is h4ckme99`.
_SOMEBODYS = r"(?i)(?:^|[\s,(])(?:the|my|your|our|root|admin|sudo|db|wifi|temp)[ ]\Z"


def _told(given: Given, at: int, spans: list[Span]) -> bool:
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
        if is_strong(value) or (
            given.name[0] > "\u0400" and is_secret(value, 3, "prose", False, False)
        ):  # among Cyrillic words one of Latin letters and digits
            spans.append((at + word.start(), at + word.start() + len(value), kind_of(given.name)))
            return True
    return False


# Names of algorithms and protocols have digits and capitals as well.
_OF_THE_TRADE = (
    r"(?i)(?:argon2|ed25519|ed448|x25519|curve25519|oauth2|base(?:32|58|64)|sha[-_]?\d|pbkdf2|aes-?\d|rsa-?\d|utf-?\d"
    r"|scram|bcrypt|hmac|chacha20|blake\d|tls|http|python|postgres|mysql|ubuntu|debian|windows|office\d)"
)


def is_strong(value: str) -> bool:
    """Whether a word among others can be nothing but a password: three classes, or words in a row."""
    value = value[:LONG]
    if (
        compiled(r"[./~-]|[a-z]{1,8}://|v?\d+[.\d]*\Z|\S{1,40}\.\w{1,4}\Z").match(value) is not None
        or compiled(r"[#@][\w\-]{1,40}\Z").match(value) is not None
        or compiled(_OF_THE_TRADE).match(value) is not None
    ):
        return False
    classes = sum(
        compiled(pattern).search(value) is not None
        for pattern in (r"\d", r"[a-z]", r"[A-Z]", r"[!@#$%^&*+?]")
    )
    return (classes >= 3 and is_secret(value, 3, "prose", False, False)) or (
        "-" in value and is_passphrase(value)
    )


def said_before(given: Given, spans: list[Span]) -> bool:
    """Judge a value before its name: `use h4ckme99 as the password`."""
    head = given.text[max(0, given.start - 120) : given.start]
    found = compiled(_SAID_BEFORE).search(head)
    if found is None:
        return given.says == 3 and _told_before(given, head, spans)
    quoted = found.group(2) != "" and " as " in head[found.end(1) :]
    if not is_secret(found.group(1), given.says, "prose", quoted, False):
        return False
    offset = given.start - len(head)
    spans.append((offset + found.start(1), offset + found.end(1), kind_of(given.name)))
    return True


def _told_before(given: Given, head: str, spans: list[Span]) -> bool:
    """Judge the words of a request before the name: `type h4ckME99 when it wants the password`."""
    found = compiled(
        r"(?:^|[\s,])(?:[Tt]ype|[Ee]nter|[Uu]se|[Tt]ry|[Gg]ive|[Pp]ut|[Ss]et|[Ii]t['’]s) [\"'`]?([^\s\"'`]{8,40})[\"'`]?"
        r"(?: [^\s:;()\[\]{}=<>|.]{1,16}){1,6} \Z"
    ).search(head)
    if found is None or not is_strong(found.group(1).rstrip(".,?")):
        return False
    offset = given.start - len(head)
    spans.append((offset + found.start(1), offset + found.end(1), kind_of(given.name)))
    return True


_LOGIN = re.compile(
    r"\w{0,10}(?: [^\s/:;,.|]{1,16}){0,4}?[: ]{1,3}[\"'`]?[\w.@+\-]{2,40}[\"'`]?"
    r"(?: ?/ ?|:|,? (?:and|mit|with|using|und|et|y|i|и|a|pw|pass) )[\"'`]?([^\s\"'`]{6,64})"
)
# Without a word between the two: the second must look like nothing else.
_LOGIN_AND_MORE = re.compile(r"\w{0,10}[: ]{1,3}[\w.@+\-]{2,40},? ([^\s\"'`/]{8,64})")


def logged_in(text: str, at: int, spans: list[Span]) -> None:
    """Judge what stands behind a user's name: `log in with admin / h4ckme99`."""
    found = _LOGIN_AND_MORE.match(text, at)
    if found is not None and is_strong(found.group(1).rstrip(".,;:?)")):
        spans.append((found.start(1), found.end(1), "password"))
    found = _LOGIN.match(text, at)
    if found is not None and is_secret(found.group(1).rstrip(".,;:!?)"), 3, "prose", False, False):
        spans.append((found.start(1), found.end(1), "password"))
