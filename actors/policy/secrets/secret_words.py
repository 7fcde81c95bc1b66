"""Names of secrecy: words, and identifiers with one, in nine languages.

How much a name says: 3 a password, which people choose; 2 a secret; 1 a key or a token, which must look drawn.
English, German, Czech, French, Spanish, Polish, Russian, Portuguese and Dutch.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

from actors.policy.secrets.secret_values import (
    MARKER,
    PART,
    compiled,
    holds,
    phrases,
    sections,
    words,
)

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    # A literal, and where in it the character stands by which it is sought.
    Anchored = tuple[str, int]

_TABLE = sections("secret_words")
SAYS = {
    word: says
    for says, section in ((3, "password"), (2, "secret"), (1, "key"))
    for word in words(_TABLE[section])
}
OPENERS = phrases(_TABLE["openers"])
STEMS = (*OPENERS, *phrases(_TABLE["stems"]))
STEMS_OUTSIDE_ASCII = phrases(_TABLE["stems outside ascii"])
LOGINS = frozenset(phrases(_TABLE["logins"]))
PUBLIC = words(_TABLE["public"])
_ACTS = words(_TABLE["acts"])
ABOUT = words(_TABLE["about"])
SETTINGS = ABOUT | words(_TABLE["settings"])
KEYS_OF = words(_TABLE["keys of"])
# `dbpassword`, `rootpw`: a lower-case word that ends in one of these.
_ENDINGS = (
    ("password", 3), ("passwd", 3), ("passphrase", 3), ("passwort", 3), ("kennwort", 3), ("pwd", 3),
    ("pw", 3), ("pass", 3), ("secret", 2), ("token", 1), ("creds", 2), ("key", 1), ("keys", 1),
)  # fmt: skip


@lru_cache(maxsize=4096)  # a text repeats its names
def strength(name: str) -> int:
    """Return how much secrecy `name`, an identifier or words, asks for: 0 none to 3 a password."""
    words = [word.lower() for word in PART.findall(name)]
    says, at = 0, 0
    for at in range(len(words) - 1, -1, -1):
        says = says_of(words[at])
        if says:
            break
    if not says:
        return 0
    if any(word in ABOUT for word in words[at + 1 :]):
        return 0
    before = words[at - 1] if at else ""
    if before in _ACTS or (says == 1 and before in PUBLIC) or holds(_FILE, name):
        return 0
    if says == 1 and before in ("wifi", "wlan", "wireless"):
        return 3
    return (
        2 if says == 1 and before in ("secret", "signing", "unseal", "encryption", "jwt") else says
    )


_FILE = r"\.(?:py|go|[jt]sx?|rs|md|json|ya?ml|toml|txt|html?|s?css|java|kt|rb|php|[ch](?:pp)?|cs|sh|sql|vue|svelte|log|lock)\Z"


def opens_something(name: str) -> bool:
    """Return whether a name is a token's, or a key's of people's choosing: `api_key`."""
    plain = name.lower().replace("_", "").replace("-", "")
    return plain.endswith(("token", "tokens")) or (
        plain.endswith("key") and plain[:-3].endswith(tuple(KEYS_OF))
    )


def says_of(word: str) -> int:
    says = SAYS.get(word)
    if says is not None:
        return says
    for ending, strength in _ENDINGS:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if ending in ("key", "keys"):
                return 2 if stem in ("secret", "signing") else 1 if stem in KEYS_OF else 0
            if ending == "pass" and stem in ("by", "com", "tres", "sur", "over", "under", "en"):
                return 0
            return strength
    return 0


def kind_of(name: str) -> str:
    """Return the word of secrecy in a name, as shown by `redact` and the counters."""
    words = [str(word).lower() for word in PART.findall(name)]
    return next((word for word in reversed(words) if says_of(word)), "secret")


# ---- places where any of many literals stand in a text, found in one pass
#
# A literal is sought at its rarest character: an attempt at each `k` for `token` costs a seventh of
# one at each `t`.


# Characters by which literals are sought, the most frequent in the output of tools first. They are
# few, since each costs whatever stands in the text.
_ANCHORS = "cdmphugfb:k(wyv=_xjqz"
# Characters read without a pattern. To compile it costs as much as to seek each literal by itself in 50,000
# (14 ms of a hook that spools one prompt).
_UNCOMPILED = 16_000


class Literals:
    """Literals in lower case, of ASCII alone, ready to be sought together."""

    __slots__ = ("_branches", "_literals", "_read", "_rivals", "_together")

    def __init__(self, literals: Iterable[str]) -> None:
        self._literals = frozenset(literals)
        self._read = 0  # characters, up to `_UNCOMPILED` and a text
        anchored: dict[str, list[Anchored]] = {}
        for literal in sorted(self._literals):
            at = max(range(len(literal)), key=lambda at: _ANCHORS.find(literal[at]))
            anchored.setdefault(literal[at], []).append((literal, at))
        # By the number of the group that the pattern ends in: that literal, and all of its anchor.
        self._rivals: list[tuple[Anchored, list[Anchored]]] = [(("", 0), [])]
        # What can stand at the same anchor, once it was met: told of all in advance it costs a hook 3 ms.
        self._together: dict[int, list[Anchored]] = {}
        branches: list[str] = []
        for anchor in sorted(anchored, key=_ANCHORS.find):
            # By what follows the anchor, the end of a literal last: one look fails for all that share it.
            rivals = sorted(anchored[anchor], key=_behind_its_anchor, reverse=True)
            ends = [
                re.escape(first) + "(?:" + "|".join(map(_rest, alike)) + ")"
                for first, alike in groupby(rivals, lambda one: _behind_its_anchor(one)[:1])
            ]
            branches.append(re.escape(anchor) + "(?:" + "|".join(ends) + ")")
            self._rivals.extend((one, rivals) for one in rivals)
        self._branches = "|".join(branches)

    def hits(self, lower: str) -> list[tuple[int, str]]:
        """Return where which literals begin in a lower-cased text, in order."""
        if self._read <= _UNCOMPILED:
            self._read += len(lower)
            if self._read <= _UNCOMPILED:
                return sorted(one for literal in self._literals for one in _places(lower, literal))
        hits: list[tuple[int, str]] = []
        pattern = compiled(self._branches)
        found = pattern.search(lower)
        while found is not None:
            anchor = found.start()
            for literal, at in self._beside(found.lastindex or 0):
                if lower.startswith(literal, anchor - at):
                    hits.append((anchor - at, literal))
            found = pattern.search(lower, anchor + 1)
        hits.sort()
        return hits

    def _beside(self, group: int) -> list[Anchored]:
        beside = self._together.get(group)
        if beside is None:
            one, rivals = self._rivals[group]
            beside = self._together[group] = [two for two in rivals if _agree(one, two)]
        return beside


def _places(lower: str, literal: str) -> Iterator[tuple[int, str]]:
    at = lower.find(literal)
    while at >= 0:
        yield at, literal
        at = lower.find(literal, at + 1)


def _behind_its_anchor(anchored: Anchored) -> str:
    literal, at = anchored
    return literal[at + 1 :]


def _rest(anchored: Anchored) -> str:
    """Return the pattern of a literal from the second character behind its anchor on.

    The part before the anchor is looked at last: the literal behind it fails faster. An empty group
    tells which literal it was.
    """
    literal, at = anchored
    begins = "(?<=" + re.escape(literal) + ")" if at else ""
    return re.escape(literal[at + 2 :]) + begins + "()"


def _agree(one: Anchored, two: Anchored) -> bool:
    """Tell whether two literals can stand in one text with their anchors at one place."""
    (left, at), (right, there) = one, two
    ends = left[at:], right[there:]
    begins = left[:at], right[:there]
    return (ends[0].startswith(ends[1]) or ends[1].startswith(ends[0])) and (
        begins[0].endswith(begins[1]) or begins[1].endswith(begins[0])
    )


# ---- names of variables and files for secrets
#
# A name is split into its words. A word such as `token` tells of a secret, unless the last one marks
# the name as one about the secret and not the secret itself (`TOKEN_URL`, `PASSWORD_FILE`). A redacted
# text in which only such names are left beside the mark has nothing to remember.


_SEGMENT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Words that tell of a secret in a variable, though not in a sentence or beside any value.
_IN_A_VARIABLE = frozenset("pin mfa cookie dsn connectionstring".split())
# Names of one word that hold a folder, a turn of a loop, a verdict.
_ORDINARY_ALONE = frozenset("PWD OLDPWD key keys pass auth pat pin cookie creds tokens".split())


def segments(name: str) -> list[str]:
    """The words of a name, in lower case: `DB_PASSWORD`, `dbPassword`."""
    return [segment.lower() for segment in _SEGMENT.findall(name[:200])]


def is_secret_name(name: str) -> bool:
    """Return whether a variable, a parameter or a field of this name holds a secret."""
    parts = segments(name)
    if not parts or name in _ORDINARY_ALONE or parts[-1] in SETTINGS - {"code"}:
        return False
    return strength(name) > 0 or not _IN_A_VARIABLE.isdisjoint((*parts, "".join(parts)))


_NAMES = sections("secret_names")
_ORDINARY = words(_NAMES["ordinary"])


def is_ordinary(name: str) -> bool:
    """Return whether an output or a setting of a deployment, of this name, is no secret."""
    parts = segments(name)
    return bool(parts) and parts[-1] in _ORDINARY and not is_secret_name(name)


_ENVIRONMENT = re.compile(r"\A(?:\.env(?:rc)?|\.env\.[\w.\-]+|[\w\-]+\.env|\.dev\.vars)\Z")
_SAMPLE = re.compile(r"example|sample|template|dist\b|default|schema|\.d\.ts\Z")
_KEPT = words(_NAMES["files"])
_PLAIN_FILE = re.compile(_NAMES["plain file"][0])
_HELD = words(_NAMES["words of files"])
_SEALED_KEYS = re.compile(_NAMES["sealed keys"][0])
_KEYS = re.compile(r"(?:api[_\-]?)?keys?\Z")
# A folder of secrets, in which a plain file is one whatever it is called.
_SHELF = re.compile(r"(?:\A|/)\.?(?:secrets|credentials|passwords)/[^/]+\Z")
_ABOUT_THEM = re.compile(r"readme|index|kustomization|changelog|license|notes?\b")
_FOLDERS = ("/run/secrets/", "/etc/secrets/", "/var/secrets/", "/.aws/credentials", "/.secrets/")


def is_secret_file(path: str) -> bool:
    """Return whether a file is there to hold a secret, by its name and folder."""
    plain = path.strip("'\"").replace("\\", "/")[-400:].lower()
    name = plain.rsplit("/", 1)[-1]
    if not name or plain == "/etc/passwd" or _SAMPLE.search(name) is not None:
        return False
    if name.endswith(".pub"):
        return False
    if name in _KEPT or _ENVIRONMENT.match(name) is not None:
        return True
    if any(folder in "/" + plain for folder in _FOLDERS):
        return True
    stem, _, ending = name.rpartition(".")
    if not stem:  # no dot, or only one in front
        stem, ending = name.lstrip("."), ""
    if _SEALED_KEYS.search(name) is not None or _SEALED_KEYS.search(stem) is not None:
        return True
    if _KEYS.match(stem) is not None and ending in ("", "txt"):
        return True
    parts = segments(stem)
    shelved = _SHELF.search(plain) is not None and _ABOUT_THEM.match(name) is None
    if shelved and _PLAIN_FILE.match(ending) is not None:
        return True
    if not parts or _PLAIN_FILE.match(ending) is None:
        return False
    return parts[-1] in _HELD or parts[0] in ("passwords", "credentials")


LABELS = 3  # words beside a secret that may only say what it is: `DB_PASSWORD=…`, `the api key: …`
_WORD = re.compile(r"\w+")
_FILLERS = frozenset("the my a is of for and api access key".split())


def is_all_secret(redacted: str) -> bool:
    """Tell whether a redacted text is a marker, with at most words for a secret beside it."""
    if MARKER not in redacted:
        return False
    words = _WORD.findall(redacted.replace(MARKER, " "))
    if len(words) > LABELS:
        return False
    return all(word.lower() in _FILLERS or is_secret_name(word) for word in words)
