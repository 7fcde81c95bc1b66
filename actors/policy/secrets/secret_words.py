"""Names of secrecy: words, and identifiers with one, in nine languages.

How much a name says: 3 a password, which people choose; 2 a secret; 1 a key or a token, which must look drawn.
English, German, Czech, French, Spanish, Polish, Russian, Portuguese and Dutch. Loaded by the hook by its path:
see `redaction`.
"""

from __future__ import annotations

from actors.policy.secrets.secret_tables import phrases, sections, words
from actors.policy.secrets.secret_values import PART, compiled

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
    if any(word in ABOUT for word in words[at + 1 :]):
        return 0
    before = words[at - 1] if at else ""
    if (
        before in _ACTS
        or (says == 1 and before in PUBLIC)
        or compiled(_FILE).search(name) is not None
    ):
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
