"""Secrets known by the name they are given to, in the syntaxes that join a name to a value.

Names are words of secrecy in English, German, Czech, French, Spanish, Polish and Russian, and
identifiers that hold one. Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from actors.policy.events.literals import Literals
from actors.policy.events.secret_values import (
    LONG,
    PART,
    PLAIN,
    compiled,
    is_passphrase,
    is_random,
    is_secret,
)

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterable

    Span = tuple[int, int, str]  # start, end, kind

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

# -- names that ask for secrecy -------------------------------------------------------------------
# How much a name says: 3 a password, which people choose; 2 a secret; 1 a key or a token, whose
# value must look drawn. English, German, Czech, French, Spanish, Polish and Russian.

_SAYS = {
    **dict.fromkeys(
        "password passwords passwd passphrase passcode pass passw pswd pwd pw pgpass psk otp totp mfa"
        " passwort kennwort zugangscode passworte heslo hesla heslem mdp passe contrasena contraseña"
        " contrasenya clave haslo hasło hasła hasłem пароль пароля паролем паролю".split(), 3),
    **dict.fromkeys(
        "secret secrets credential credentials cred creds unseal signing jwt mnemonic seed pepper"
        " secreto tajemstvi tajemství sekret секрет".split(), 2),
    **dict.fromkeys(
        "token tokens key keys auth authorization pat jeton schlüssel klíč klíče klucz clé clef llave"
        " токен токена ключ ключа contribsys__com".split(), 1),
}  # fmt: skip
# Stems by which a name is found in lower-cased text; the ones of other alphabets apart, so that a
# text in ASCII is not searched for them.
STEMS = (
    "pass", "pw", "secret", "token", "cred", "auth", "key", "psk", "otp", "jwt", "_pat", "mdp",
    "kennwort", "hesl", "haslo", "clave", "contrase", "signing", "unseal", "mnemonic", "seed", "jeton",
    "bearer", "basic", "login", "log in", "logged in", "sign in", "zugang",
    "identifiants", "connecte-toi", "zaloguj", "logowania", "entra con", "melde dich", "anmelden",
)  # fmt: skip
STEMS_OUTSIDE_ASCII = tuple(
    "hasł парол токен ключ секрет schlüssel klíč clé tajemstv логин údaje přihlá".split()
)
# Stems behind which a name and a password may stand together: `log in with admin / x`.
_LOGINS = frozenset(
    ("login", "log in", "logged in", "sign in", "cred", "zugang", "identifiants", "connecte-toi", "zaloguj", "logowania", "entra con",
     "melde dich", "anmelden", "логин", "údaje", "přihlá")
)  # fmt: skip
# `dbpassword`, `rootpw`: a lower-case word that ends in one of these.
_ENDINGS = (
    ("password", 3), ("passwd", 3), ("passphrase", 3), ("passwort", 3), ("kennwort", 3), ("pwd", 3),
    ("pw", 3), ("pass", 3), ("secret", 2), ("token", 1), ("creds", 2), ("key", 1), ("keys", 1),
)  # fmt: skip
# Words before a key or token whose value is public.
_PUBLIC = frozenset(
    "public pub publishable primary foreign partition sort sorting cache bucket schema sequence index"
    " idempotency csrf xsrf authenticity page next prev cursor continuation translation message dict"
    " lookup group row object routing issue project metric hot host shortcut unique lock redis map"
    " natural surrogate config fingerprint cancellation issuer sample blind query integrity web"
    " haystack color colour design syntax semantic arrow answer low high lex parse peek".split()
)
# Words before it that ask or act rather than name.
_ACTS = frozenset(
    "hash hashed forgot reset change toggle show hide has is no require requires validate check verify"
    " invalid wrong missing min max empty without get fetch find test expected got encrypted".split()
)
# Words after it that make the name one of something about a secret.
_ABOUT = frozenset(
    "id ids name names type kind url uri path file files filename dir len length size count hash sum"
    " field fields col column label title expiry expires expiration expire ttl version alg algorithm"
    " format prefix suffix pattern regex limit usage manager provider source store storage location"
    " endpoint chars str set selector pair vault var variable env index map mapping func function"
    " handler class service header headers param params policy rule rules required enabled disabled"
    " valid invalid reset changed event events down up press pressed code codes frame frames spec schema"
    " bits bytes placeholder hint text help error errors message msg input box form page view screen"
    " strength score min max visible hidden visibility toggle rotation rotated age salt encoder encoding"
    " encryption validator validation validate check checker verify verifier generator factory"
    " repository controller middleware filter interceptor test tests spec module ref reference refs"
    " arn selector scope scopes scheme schemes method methods flow server client user username email"
    " domain level mode state status result response request callback redirect group groups role roles"
    " node nodes position pos start end line color colour stream buffer lexer parser list array words"
    " iterations rounds budget usage used cost price per rate ring board boards stroke point points"
    " value_from from code library lib framework agent forward forwarding socket sock account accounts"
    " only based driven style bindings binding binds note notes doc docs docstring section".split()
) - {"text"}
# `apikey`, `secretkey`, written as one word; other letters make another word, such as `monkey`.
_KEY_JOINED = frozenset(
    "api access secret private auth account master license licence encryption signing shared service"
    " client app deploy user admin session server rsa ssh aes hmac jwt root preshared storage unseal"
    " recovery webhook integration ingest write wrapping host enc db".split()
)


def strength(name: str) -> int:
    """Return how much secrecy `name`, an identifier or words, asks for: 0 none to 3 a password."""
    known = _KNOWN.get(name)
    if known is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        known = _KNOWN[name] = _judged(name)
    return known


# Names that were judged: a text repeats its own.
_KNOWN: dict[str, int] = {}
MOST_KNOWN = 4096


def _judged(name: str) -> int:
    words = [word.lower() for word in PART.findall(name)]
    says, at = 0, 0
    for at in range(len(words) - 1, -1, -1):
        says = says_of(words[at])
        if says:
            break
    if not says:
        return 0
    if any(word in _ABOUT for word in words[at + 1 :]):
        return 0
    before = words[at - 1] if at else ""
    if (
        before in _ACTS
        or (says == 1 and before in _PUBLIC)
        or compiled(_FILE).search(name) is not None
    ):
        return 0
    return (
        2 if says == 1 and before in ("secret", "signing", "unseal", "encryption", "jwt") else says
    )


_FILE = r"\.(?:py|go|[jt]sx?|rs|md|json|ya?ml|toml|txt|html?|s?css|java|kt|rb|php|[ch](?:pp)?|cs|sh|sql|vue|svelte|log|lock)\Z"


def says_of(word: str) -> int:
    says = _SAYS.get(word)
    if says is not None:
        return says
    for ending, strength in _ENDINGS:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if ending in ("key", "keys"):
                return 2 if stem in ("secret", "signing") else 1 if stem in _KEY_JOINED else 0
            if ending == "pass" and stem in ("by", "com", "tres", "sur", "over", "under", "en"):
                return 0
            return strength
    return 0


# -- syntaxes that join a name to a value -----------------------------------------------------------

_IDENTIFIER = LETTERS + "0123456789_."
_DASHED = _IDENTIFIER + "-"
_TAIL = re.compile(r"[\w.\-]{0,48}")
_QUOTES = "\"'`“„«‘"
# A sign between name and value. `${VAR:?…}` and `a::b` are none; a type may stand before `=`.
_JOIN = re.compile(
    r"(?P<shut>[ \t\\\"'`\])}*?]{0,6}(?:\[\d{0,4}\]| [a-z\-]{1,16}=\"[^\"\s]{0,16}\"(?=>)| \{ get;[a-z ;]{1,20}\})?[ \t]{0,32})"
    r"(?: \d{1,2}(?=:))?(?P<op>\)?\.(?:type|fill|send_?[kK]eys|setValue|unwrap_or|orElse|getOrElse|getOrDefault)\(|\)?\.unwrap_or_else\(\|_\| ?|</key>\s{0,8}<string>|\{(?=\")|=>|->|<-|%3[Dd]|:{1,3}=|:-|\|\||\?\?|\?=|={1,3}|:(?![:?+])|::(?= )|>|,|\(|or(?= [\"'])"
    r"|[a-zA-Z]{2,16} {0,4}:?=(?![=>]))"
    r"[ \t*]{0,8}(?:[|>][+\-]?[ \t]{0,4}\r?\n[ \t]{1,24})?"
)
_TYPED = r"[&*']{0,2}[A-Za-z_][\w.<>\[\]|?&' ]{0,40}=(?![=>])[ \t]{0,3}"
_WRAPPED = (
    r"(?:new )?(?:[\w.:]{0,24}(?:from|String|Str|bytes?|Some|Secret|str|new|of|literal|strdup|[gG]etBytes|encode|FromBase64String)"
    r"|\[\]byte)\((?=[\"'])"
)
_QUOTE = re.compile(r"(?:[bBrRuUL@]{1,2}(?=[\"']))?(\\{0,3}[\"'`“„«‘])(?:(?<=«)[ \u00a0\u202f])?")
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
_FIELD = re.compile(
    r"[\"'\\\s,;)\]/>{:<-]{0,40}([A-Za-z_][\w\-]{0,24})[\"'\\]{0,4}\s{0,16}[:=>\s]\s{0,4}"
)
_SKIPPED = r"\\?\"[^\"\r\n]{0,80}\"|'[^'\r\n]{0,80}'|[^\s,;\"'{}<>]{0,60}"
_VALUES = ("value", "secret-string", "secretstring", "content", "body", "default")
_VALUE_BEFORE = (
    r"[\"'](?:value|Value|secret)[\"']\s{0,4}[:=]\s{0,4}[\"']([^\"'\r\n]{4,200})[\"']\s{0,4},\s{0,24}"
    r"[\"'](?:key|name|Key|Name|id|label)[\"']\s{0,4}[:=]\s{0,4}[\"'][^\"'\r\n]{0,80}\Z"
)
_SAID_BEFORE = (
    r"(?:^|[\s\"'`(])([^\s\"'`(]{6,60})([\"'`]?) (?:is|as|als|ist|comme|como|de|jako|как|je|est|es|for|at|into"
    r"|(?:when|if|once|whenever)(?: [a-z']{2,8}){0,2} (?:asked|prompted|asks|prompts) for)"
    r"(?: (?:the|my|your|our|a|new|das|mein|neues|le|la|el|moje|мой))?(?: [\w\-]{1,16}){0,2} \Z"
)
_ORDER = r"(?:\b(?:set|put|setx|setenv|config|env|enable|isakmp|[a-z]{4,8}-server|username|neighbor)(?:[ \t][\w.\-]{1,24}){0,4}|--secret|--global|--plain)[ \t]{1,4}[\w./:\-]{0,60}\Z"
_NAMES = Literals(STEMS)
# Letters that no word of English has: signs and dashes alone are no reason to look for stems.
_FOREIGN = re.compile("[\u00c0-\u024f\u0400-\u04ff]")


def stems_outside_ascii(text: str) -> list[tuple[int, str]]:
    """Return where which stems of other alphabets stand in `text`."""
    if _FOREIGN.search(text) is None:
        return []
    # U+0130 alone changes length when lower-cased; positions must be those of `text`.
    lower = text.replace("\u0130", "i").lower()
    return [
        (found.start(), stem)
        for stem in STEMS_OUTSIDE_ASCII
        for found in compiled(stem).finditer(lower)
    ]


def name_scan(text: str, hits: Iterable[tuple[int, str]], spans: list[Span]) -> None:
    """Find what is given to a name of secrecy; `hits` are where which stems stand."""
    first = done = 0  # where the last name began and ended
    table = _Table()
    for at, stem in hits:
        if stem in _LOGINS:
            _logged_in(text, at + len(stem), spans)
        if first <= at < done:
            continue
        if stem in ("bearer", "basic"):
            first, done = at, _presented(text, at + len(stem), stem, spans)
        else:
            first, done = _bounds(text, at, at + len(stem))
            done = _named(text, first, done, table, spans)


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the identifier around a stem begins and ends."""
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


_FOLLOWS = " \t\r\n\"'`’\\)]}*?=:|>,(<;[-%&"


def _named(text: str, start: int, end: int, table: _Table, spans: list[Span]) -> int:
    """Find what is given to the name between `start` and `end`; return where to go on."""
    name = text[start:end]
    if text[end : end + 1] not in _FOLLOWS:  # or the name is longer than any that people write
        return end
    says = strength(name)
    if not says:
        return end
    if says == 1 and text[start - 1 : start] == " ":
        says = _beside(text[max(0, start - 24) : start])
        if not says:
            return end
    given = _Given(text, start, name, says)
    join = _JOIN.match(text, end)
    if (
        _paired(given, end, spans)
        or (join is not None and _joined(given, join, spans))
        or (text[end : end + 1] in " \t:,('’[" and _spoken(given, end, spans))
        or (text[start - 1 : start] == " " and says >= 2 and _said_before(given, spans))
    ):
        return max(end, given.read)
    if not table.begin <= start < table.end:
        _below(given, end, table, spans)
    return max(end, given.read)


def _beside(before: str) -> int:
    """Return how much a key or token says by the word before it: `public key`, `wifi key`."""
    word = before.split()[-1].strip("\"'`*(").lower() if before.strip() else ""
    if word in _PUBLIC or word in ("no", "unexpected", "invalid", "expected", "missing"):
        return 0
    return {"wifi": 3, "wi-fi": 3, "wlan": 3, "secret": 2, "signing": 2, "unseal": 2}.get(word, 1)


class _Given:
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
        value = probe.group()
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
        if not is_secret(value[:LONG], self.says, how, bool(quote), alone) and not (
            alone and self._is_set_in_environment(value, at)
        ):
            return self._takes_a_phrase(at, spans)
        stop = at + len(value)
        if len(value) >= 300:  # the probe was cut: the rest of the run goes too
            rest = compiled(r"[^\s\"'`\\]*").match(self.text, stop)
            stop = stop if rest is None else rest.end()
        spans.append((at, stop, _kind(self.name)))
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
        spans.append((at, phrase.end(), _kind(self.name)))
        return True

    def _is_set_in_environment(self, value: str, at: int) -> bool:
        """`API_TOKEN=abcd1234efgh` alone on its line: nobody gives a constant such a name and value."""
        if not self.name.isupper() and (self.says == 1 or self.text[at - 1] != "="):
            return False
        shape = r"(?=[\d_.\-]{0,80}[A-Za-z])(?=[A-Za-z_.\-]{0,80}\d)[A-Za-z0-9_.\-]{12,80}\Z"
        return compiled(shape).match(value) is not None

    def stands_on_a_line(self) -> bool:
        """Whether `name = value` is a line of its own: the value goes up to the next blank."""
        stem = self.before.rstrip(" \t+-")
        for order in ("export", "set", "ENV", "local", "declare"):
            if stem.endswith(order):
                stem = stem[: -len(order)].rstrip(" \t+-")
        return (len(stem) == 0 and self.start < 80) or stem.endswith(("\n", "\r", "\\n"))


def _kind(name: str) -> str:
    """Return the word of secrecy in a name: what `redact` and the counters show."""
    words = [str(word).lower() for word in PART.findall(name)]
    return next((word for word in reversed(words) if says_of(word)), "secret")


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


def _joined(given: _Given, join: re.Match[str], spans: list[Span]) -> bool:
    """Judge a value behind a sign: `=`, `:`, `=>`, a closing tag, a comma, a bracket."""
    text, at, op = given.text, join.end(), join.group("op")
    if (
        given.name.lower() == "pass"
        and op == ":"
        and not given.before.endswith(" /")
        and _is_a_verdict(given, at)
    ):
        return False
    if op == ":" or op == "||" or op == "??":
        typed = compiled(_TYPED).match(text, at) if op == ":" else None
        at = at if typed is None else typed.end()
    if given.says == 1 and given.name.lower().endswith(("auth", "authorization")):
        scheme = compiled(_SCHEME).match(text, at)
        at = at if scheme is None else scheme.end()
    wrapped = compiled(_WRAPPED).match(text, at)
    at = at if wrapped is None else wrapped.end()
    opened = _QUOTE.match(text, at)
    quote = "" if opened is None else opened.group(1)
    at = at if opened is None else opened.end()
    how = "assigned"
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
    return given.take(at, quote, how, spans)


# Before a name: another pair, the flag or the order that takes a pair.
_PAIR_BEFORE = (
    r"(?:[\w.\-]=[\"']?[^\s,;&()\"']{1,60}[\"']?[ ,;&]|(?:^| )-{1,2}[a-zA-Z][\w\-]{0,20}[= ][\"']?"
    r"|\b(?:put|write|set|add|config|login)\b[^\n,()]{0,60} )\Z"
)
# Before a name in XML: the tag, or the attribute that names the value.
_TAG_BEFORE = r"(?:<(?:\w{1,12}:)?|(?:name|key)=[\"'])\Z"


def _is_passed_on(given: _Given, join: re.Match[str]) -> bool:
    """Whether a sign without blanks hands on a value and no name: `-e DB_PASSWORD=x`, `<pw>x</pw>`."""
    op, before = join.group("op"), given.before
    if op.startswith("</key>"):
        return True
    if op == ">":
        return (
            compiled(_TAG_BEFORE).search(before) is not None
            and compiled(r"[^\s<>]{4,80}</").match(given.text, join.end()) is not None
        )
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
    return compiled(_PAIR_BEFORE).search(before) is not None


def _is_argument(given: _Given, join: re.Match[str]) -> bool:
    """Whether a comma or a bracket gives the next string to the name: `setPassword("x")`."""
    if len(join.group("op")) > 1:
        return True
    if join.group("op") == ",":
        if join.group("shut").strip(" \t") == "":
            return given.name.isupper() and "_" in given.name  # an option's number
        call = compiled(
            r"([\w.]{2,40})\(\s?(?:[\w.]{1,16}, ?)?[\"'](?:[^\"'\s]{0,48}[\"'])?[^\"'\s]{0,48}\Z"
        ).search(given.before)
        return (
            call is not None
            and compiled(
                r"(?i)env|set|put|append|default|header|add|config|get|fill|type|input|define|flag"
            ).search(call.group(1))
            is not None
        )
    if join.group("shut"):
        return False
    first = PART.findall(given.name)[0].lower()
    return first in ("set", "with", "add", "use", "put") or given.before.endswith(
        (".", " ", "\n", "")
    )


def _is_a_verdict(given: _Given, at: int) -> bool:
    """Whether a bare `pass` with a colon is what became of a test: `--- PASS: TestX (0.01s)`."""
    if given.before.endswith("--- ") or given.text.startswith(("Test", "test", "src/"), at):
        return True
    if _names_a_login(given.before) or given.before.rstrip()[-1:] in ('"', "'", "{", ",", "&", "?"):
        return False
    return given.name.isupper() or not given.stands_on_a_line()


def _names_a_login(before: str) -> bool:
    """Whether a bare `pass` stands behind a user's name."""
    behind = r"(?i)(?:user(?:name)?|login|log in as)[\"']?[:= ]{1,3}\S{1,40}[\s,;/]{1,4}(?:and |with )?\Z"
    return compiled(behind).search(before) is not None


def _paired(given: _Given, end: int, spans: list[Span]) -> bool:
    """Judge the value beside a name: `{"Key": "db-password", "Value": "x"}`, in either order."""
    text = given.text
    form = compiled(r"\"(?:\r?\n|\\r\\n){2}").match(text, end)  # a part of a posted form
    if form is not None and given.before.endswith('name="'):
        return given.take(form.end(), "", "cell", spans)
    near = text[end : end + 200].lower()
    if any(word in near for word in _VALUES):
        at = end
        for _ in range(5):
            field = _FIELD.match(text, at)
            if field is None:
                break
            at = field.end()
            if field.group(1).lower().endswith(_VALUES):
                opened = _QUOTE.match(text, at)
                if opened is None:
                    return given.take(at, "", "cell", spans)
                return given.take(opened.end(), opened.group(1), "cell", spans)
            skipped = compiled(_SKIPPED).match(text, at)
            at = at if skipped is None else skipped.end()
    if text[end : end + 1] in "\"'" and compiled(r"(?i)value|secret[\"']").search(given.before):
        head = text[max(0, given.start - 400) : given.start]
        found = compiled(_VALUE_BEFORE).search(head)
        if found is not None and is_secret(found.group(1)[:LONG], given.says, "cell", True, False):
            offset = given.start - len(head)
            spans.append((offset + found.start(1), offset + found.end(1), _kind(given.name)))
            return True
    return False


def _spoken(given: _Given, end: int, spans: list[Span]) -> bool:
    """Judge a value behind blanks or words: a flag, an order, a quotation, a sentence."""
    text, before = given.text, given.before
    bare = (  # what became of a test, a way through a loop
        given.name.lower() == "pass"
        and not _names_a_login(before)
        and compiled(_SOMEBODYS).search(before) is None
    )
    blank = compiled(r"[ \t]{1,8}(?:[05789] (?=\S{6}))?").match(
        text, end
    )  # a network device's type
    at = end if blank is None else blank.end()
    opened = _QUOTE.match(text, at)
    quote = "" if opened is None else opened.group(1)
    start = at if opened is None else opened.end()
    if blank is not None:
        if _is_on_a_device(given) and _takes_after_its_type(given, end, spans):
            return True
        if _is_ordered(before):
            return given.take(start, quote, "flag", spans)
        if given.says == 3 and _in_a_netrc(text, given.start):
            return given.take(start, quote, "flag", spans)
        if given.name.lower() == "pwd" or bare:
            return False
        if quote:
            how = "sql" if given.name.isupper() else "prose"
            return given.says >= 2 and given.take(start, quote, how, spans)
        if given.says == 3 and _is_a_directive(given, at):
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
    opened = _QUOTE.match(text, at)
    if opened is None:
        return given.take(at, "", "prose", spans) or (given.says == 3 and _told(given, at, spans))
    return given.take(opened.end(), opened.group(1), "prose", spans)


# Before a bare `pass` that a sentence names: `the pass for that box is h4ckme99`.
_SOMEBODYS = r"(?i)(?:^|[\s,(])(?:the|my|your|our|root|admin|sudo|db|wifi|temp)[ ]\Z"


def _told(given: _Given, at: int, spans: list[Span]) -> bool:
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
            spans.append((at + word.start(), at + word.start() + len(value), _kind(given.name)))
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


# What stands on a line of a network device's configuration, and of an installer's answers, before
# the name of a secret; and names that stand nowhere else.
_DEVICE = (
    r"(?:^|\n)[ \t+\-]{0,8}(?:enable|tacacs-server|radius-server|crypto isakmp|neighbor \S{1,40}|ip (?:ospf|ftp|http)"
    r"|ntp|standby|vrrp|ppp|vtp|super|username \S{1,40}|(?:local-|admin )?user \S{1,40}|area|security wpa|wpa-psk|ikev[12]"
    r"|snmp-agent|set (?:system|security|vpn|interfaces|protocols|service|authentication|mgt-config)"
    r"|address ipv4)\b[^\n,()='\"]{0,60}\Z"
)
_DEBCONF = r"(?:^|[\s'\"])[\w.\-]{1,40} [\w.\-]{1,40}/[\w./\-]{1,60} \Z"
_DEVICE_NAMES = frozenset(
    "pre-shared-key pre-shared-secret key-string authentication-key psksecret wpa-psk rootpw".split()
)
_TYPE = (
    r"(?:[ \t]{1,4}(?:--(?:plaintext|iscrypted|allow-ssh|lock)|local|remote|ascii-text|ascii|md5|text|simple|cipher"
    r"|irreversible-cipher|plaintext|level|encrypted|ENC|\d{1,3}(?=[ \t]+\S{4})))*[ \t]{1,8}([\"']?)"
)


def _is_on_a_device(given: _Given) -> bool:
    """Whether a name stands in a line of a network device or of an installer's answers."""
    if given.name in _DEVICE_NAMES:
        return given.stands_on_a_line() or compiled(_DEVICE).search(given.before) is not None
    if given.name in ("password", "passwd"):
        return (
            compiled(_DEVICE).search(given.before) is not None
            or compiled(_DEBCONF).search(given.before) is not None
        )
    return (
        given.name in ("key", "secret", "message-digest-key")
        and compiled(_DEVICE).search(given.before) is not None
    )


def _takes_after_its_type(given: _Given, end: int, spans: list[Span]) -> bool:
    """Judge the value behind the words for how it is written: `password 7 …`, `key ascii-text "…"`."""
    found = compiled(_TYPE).match(given.text, end)
    if found is None:
        return False
    said, given.says = given.says, 3
    taken = given.take(found.end(), found.group(1), "flag", spans)
    given.says = said
    return taken


def _is_ordered(before: str) -> bool:
    """Whether a flag begins, or an order that takes a name and a value: `kv put app/password x`."""
    stem = before.rstrip("-/")
    if len(stem) < len(before) and (not stem or stem[-1] in " \t\n\"'[("):
        return True
    words = before[-64:].lower()
    return any(
        map(
            words.__contains__,
            (
                "set",
                "put",
                "config",
                "env",
                "--",
                "enable",
                "isakmp",
                "-server",
                "username",
                "neighbor",
            ),
        )
    ) and (compiled(_ORDER).search(words) is not None)


def _in_a_netrc(text: str, start: int) -> bool:
    """`machine m login l password p`; `user u pass p`."""
    return (
        compiled(r"\b(?:login|user(?:name)?|-u)[ \t]{1,8}\S{1,64}[ \t\r\n,;/]{1,24}\Z").search(
            text[max(0, start - 120) : start]
        )
        is not None
    )


def _is_a_directive(given: _Given, at: int) -> bool:
    """Whether a line is a name and one value: `requirepass h4ckme99`, `bindpw maple-amber-fox`."""
    line = compiled(r"([^\s\"';]{6,64});?[ \t]{0,8}(?:[#!][^\n]{0,80})?(?:\r?\n|\Z)").match(
        given.text, at
    )
    if line is None or given.name.isupper() or not given.stands_on_a_line():
        return False
    if given.name not in _SAYS:  # no word of a sentence: `rootpw`, `auth_pass`
        return True
    return compiled(r"[\d!@#$%^&*]").search(line.group(1)) is not None or is_passphrase(
        line.group(1)
    )


def _said_before(given: _Given, spans: list[Span]) -> bool:
    """Judge a value before its name: `use h4ckme99 as the password`."""
    head = given.text[max(0, given.start - 120) : given.start]
    found = compiled(_SAID_BEFORE).search(head)
    if found is None:
        return given.says == 3 and _told_before(given, head, spans)
    quoted = found.group(2) != "" and " as " in head[found.end(1) :]
    if not is_secret(found.group(1), given.says, "prose", quoted, False):
        return False
    offset = given.start - len(head)
    spans.append((offset + found.start(1), offset + found.end(1), _kind(given.name)))
    return True


def _told_before(given: _Given, head: str, spans: list[Span]) -> bool:
    """Judge the words of a request before the name: `type h4ckME99 when it wants the password`."""
    found = compiled(
        r"(?:^|[\s,])(?:[Tt]ype|[Ee]nter|[Uu]se|[Tt]ry|[Gg]ive|[Pp]ut|[Ss]et|[Ii]t['’]s) [\"'`]?([^\s\"'`]{8,40})[\"'`]?"
        r"(?: [^\s:;()\[\]{}=<>|.]{1,16}){1,6} \Z"
    ).search(head)
    if found is None or not is_strong(found.group(1).rstrip(".,?")):
        return False
    offset = given.start - len(head)
    spans.append((offset + found.start(1), offset + found.end(1), _kind(given.name)))
    return True


_LOGIN = re.compile(
    r"\w{0,10}(?: [^\s/:;,.|]{1,16}){0,4}?[: ]{1,3}[\"'`]?[\w.@+\-]{2,40}[\"'`]?"
    r"(?: ?/ ?|:|,? (?:and|mit|with|using|und|et|y|i|и|a|pw|pass) )[\"'`]?([^\s\"'`]{6,64})"
)


# Without a word between the two: the second must look like nothing else.
_LOGIN_AND_MORE = re.compile(r"\w{0,10}[: ]{1,3}[\w.@+\-]{2,40},? ([^\s\"'`/]{8,64})")


def _logged_in(text: str, at: int, spans: list[Span]) -> None:
    """Judge what stands behind a user's name: `log in with admin / h4ckme99`."""
    found = _LOGIN_AND_MORE.match(text, at)
    if found is not None and is_strong(found.group(1).rstrip(".,;:?)")):
        spans.append((found.start(1), found.end(1), "password"))
    found = _LOGIN.match(text, at)
    if found is not None and is_secret(found.group(1).rstrip(".,;:!?)"), 3, "prose", False, False):
        spans.append((found.start(1), found.end(1), "password"))


def _presented(text: str, end: int, word: str, spans: list[Span]) -> int:
    """Find `Bearer …` and `Basic …`, wherever they stand; return where to go on."""
    match = compiled(r"[ \t]{1,4}([A-Za-z0-9_.\-~+/]{8,}=*)").match(text, end)
    if match is None:
        return end
    value = match.group(1)
    if is_random(value[:LONG], 12) or (word == "basic" and hides_a_secret(value)):
        spans.append((match.start(1), match.end(1), word))
    return match.end(1)


_SCHEME = r"(?i)(?:Basic|Bearer|Token|Api-?Key|Digest|Key|Splunk|GoogleLogin)[ =]+"


class _Table:
    """The last table that was read: its rows, and how many names of its head were followed."""

    __slots__ = ("begin", "end", "followed", "head")

    def __init__(self) -> None:
        self.begin = self.end = self.head = self.followed = 0


def _below(given: _Given, end: int, table: _Table, spans: list[Span]) -> None:
    """Judge the cells below a name at the head of a column."""
    text = given.text
    if text[end : end + 1] not in "\"'`* \t|,;\r\n":
        return
    if not compiled(r"[\"'`*]{0,2}[ \t]{0,40}(?:[|\t,;\r\n]|[ ]{2})").match(text, end):
        return
    first = text.rfind("\n", max(0, given.start - 400), given.start) + 1
    last = text.find("\n", end, end + 400)
    if last < 0 or given.start - first > 400:
        return
    head = text[first:last]
    split = next((mark for mark in ("|", "\t", ",", ";", "  ") if mark in head.strip()), "")
    if table.head != first:
        table.head, table.followed = first, 0
    table.followed += 1
    if not split or table.followed > 4:
        return
    cells = head.count(split)
    column = given.start - first if split == "  " else head[: given.start - first].count(split)
    table.begin = at = last + 1
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        row = text[at:stop]
        if compiled(r"[ \t]{0,8}[+|:\-= ]{3,}\r?\Z").match(row) is None:
            cell = _aligned(row, column) if split == "  " else _separated(row, column, split, cells)
            if cell is None:
                break
            _judge_cell(given, cell[1], at + cell[0], spans)
        at = stop + 1
    table.end = at


def _separated(row: str, column: int, split: str, cells: int) -> tuple[int, str] | None:
    """Return where a cell begins in a row of cells with a separator, and its text."""
    parts = row.split(split)
    if len(parts) != cells + 1:
        return None
    return sum(len(part) + 1 for part in parts[:column]), parts[column]


def _aligned(row: str, column: int) -> tuple[int, str] | None:
    """Return the cell at a column in a row whose columns are set with blanks."""
    cell = compiled(r"\S{1,120}").match(row, column)
    if cell is None or row[column - 1 : column].strip() or "  " not in row.strip():
        return None
    return column, cell.group()


def _judge_cell(given: _Given, cell: str, offset: int, spans: list[Span]) -> None:
    """Keep where a cell's value is if it is a secret."""
    value = cell.strip(" \t\r\"'`")
    if is_secret(value[:LONG], given.says, "cell", False, False):
        start = offset + cell.index(value)
        spans.append((start, start + len(value), _kind(given.name)))


def hides_a_secret(run: str) -> bool:
    """Whether a run is base64 of text in which there is a secret."""
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
