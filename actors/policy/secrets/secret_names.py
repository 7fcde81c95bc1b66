"""Names of variables and files for secrets.

A name is split into its words. A word such as `token` tells of a secret, unless the last one marks
the name as one about the secret and not the secret itself (`TOKEN_URL`, `PASSWORD_FILE`). A redacted
text in which only such names are left beside the mark has nothing to remember.

Imports only `re` and its neighbours and runs on Python 3.8: the hook loads it by file path.
"""

from __future__ import annotations

import re

from actors.policy.secrets.secret_tables import sections, words
from actors.policy.secrets.secret_words import SETTINGS, strength

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
_PLAIN_FILE = re.compile(
    r"(?:|txt|json|ya?ml|toml|ini|conf|cfg|b64|base64|csv|tsv|env|dat|properties|xml|asc|gpg|age|enc"
    r"|key|pem|token|hex|raw|plist|local|old|bak)\Z"
)
_HELD = words(_NAMES["words of files"])
_SEALED_KEYS = re.compile(
    r"\A(?!.*(?:pub|cert)).*\.key\Z|(?:api|access|private|master|secret)[_\-.]?key\Z"
)
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


MARKER = "[REDACTED]"  # as `redaction.py` writes it
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
