"""Values behind a name and a blank: flags, orders, lines of configuration.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.secrets.given_values import Given
from actors.policy.secrets.secret_values import compiled, is_passphrase
from actors.policy.secrets.secret_words import SAYS

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from actors.policy.secrets.secret_values import Span

# What an order holds: to look for one spares most names the pattern.
_ORDERS = (*"set put config env -- enable isakmp -server username neighbor".split(),)
_ORDER = r"(?:\b(?:set|put|setx|setenv|config|env|enable|isakmp|[a-z]{4,8}-server|username|neighbor)(?:[ \t][\w.\-]{1,24}){0,4}|--secret|--global|--plain)[ \t]{1,4}[\w./:\-]{0,60}\Z"
# What stands on a line of a network device's configuration, and of an installer's answers, before
# the name of a secret; and names that stand nowhere else.
_DEVICE = (
    r"[ \t+\-]{0,8}(?:enable|tacacs-server|radius-server|crypto isakmp|neighbor \S{1,40}|ip (?:ospf|ftp|http)"
    r"|ntp|standby|vrrp|ppp|vtp|super|username \S{1,40}|(?:local-|admin )?user \S{1,40}|area|security wpa|wpa-psk|ikev[12]"
    r"|snmp-agent|set (?:system|security|vpn|interfaces|protocols|service|authentication|mgt-config)"
    r"|address ipv4)\b[^\n,()='\"]{0,60}\Z"
)
_DEBCONF = r"(?:^|[\s'\"])[\w.\-]{1,40} [\w.\-]{1,40}/[\w./\-]{1,60} \Z"
_DEVICE_NAMES = frozenset(
    "pre-shared-key pre-shared-secret key-string authentication-key psksecret wpa-psk rootpw".split()
)
_NAMES_ON_A_DEVICE = _DEVICE_NAMES | {"password", "passwd", "key", "secret", "message-digest-key"}
_TYPE = (
    r"(?:[ \t]{1,4}(?:--(?:plaintext|iscrypted|allow-ssh|lock)|local|remote|ascii-text|ascii|md5|text|simple|cipher"
    r"|irreversible-cipher|plaintext|level|encrypted|ENC|\d{1,3}(?=[ \t]+\S{4})))*[ \t]{1,8}([\"']?)"
)


def is_on_a_device(given: Given) -> bool:
    """Return whether a name stands in a line of a network device or of an installer's answers."""
    line = given.before.rpartition("\n")[2]
    known = given.name in _DEVICE_NAMES and given.stands_on_a_line()
    if known or (given.name in _NAMES_ON_A_DEVICE and compiled(_DEVICE).match(line) is not None):
        return True
    return (
        given.name in ("password", "passwd")
        and "/" in line
        and compiled(_DEBCONF).search(line) is not None
    )


def takes_after_its_type(given: Given, end: int, spans: list[Span]) -> bool:
    """Judge the value behind the words for how it is written: `password 7 …`, `key ascii-text "…"`."""
    found = compiled(_TYPE).match(given.text, end)
    if found is None:
        return False
    said, given.says = given.says, 3
    taken = given.take(found.end(), found.group(1), "flag", spans)
    given.says = said
    return taken


def is_ordered(before: str) -> bool:
    """Return whether a flag begins, or an order with a name and a value: `kv put app/password x`."""
    stem = before.rstrip("-/")
    if len(stem) < len(before) and (not stem or stem[-1] in " \t\n\"'[("):
        return True
    words = before[-64:].lower()
    return any(map(words.__contains__, _ORDERS)) and compiled(_ORDER).search(words) is not None


def in_a_netrc(text: str, start: int) -> bool:
    """`machine m login l password p`; `user u pass p`."""
    before = text[max(0, start - 120) : start]
    if not ("login" in before or "user" in before or "-u" in before):
        return False
    behind = r"\b(?:login|user(?:name)?|-u)[ \t]{1,8}\S{1,64}[ \t\r\n,;/]{1,24}\Z"
    return compiled(behind).search(before) is not None


def is_a_directive(given: Given, at: int) -> bool:
    """Return whether a line is a name and one value: `requirepass h4ckme99`, `bindpw maple-amber-fox`."""
    line = compiled(r"([^\s\"';]{6,64});?[ \t]{0,8}(?:[#!][^\n]{0,80})?(?:\r?\n|\Z)").match(
        given.text, at
    )
    if line is None or given.name.isupper() or not given.stands_on_a_line():
        return False
    if given.name.lower() not in SAYS:  # no word of a sentence: `rootpw`, `auth_pass`
        return True
    return compiled(r"[\d!@#$%^&*]").search(line.group(1)) is not None or is_passphrase(
        line.group(1)
    )
