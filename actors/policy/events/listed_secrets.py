"""Secrets listed below a heading: sections of settings, lines of secrets, codes, Kubernetes.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.events.assigned_secrets import is_of_a_user
from actors.policy.events.secret_values import compiled, is_secret

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    Span = tuple[int, int, str]  # start, end, kind

_SECTION = (
    r"(?:(?<=\n)|\A)([ \t]{0,16})\[?(?:[\w.\-]{0,24}[_.\-])?(?:(?:basic_?)?auth(?:_users)?|users|accounts|admins"
    r"|logins|credentials|creds|passwords|secrets)(\]|:)[ \t]{0,8}\r?\n"
)
_SETTING = (
    r"([ \t]{0,24})(?:- )?[\"']?([\w.@\-]{1,40})[\"']?[ \t]{0,8}[=:][ \t]{0,8}(?:[\"']?([^\s\"',;#/]{1,128})[\"']?)?"
    r"[^\n]{0,120}(?:\n|\Z)"
)


def sections(text: str, spans: list[Span]) -> None:
    """Find what users are given in a section for them: `[auth]` and below it `bob = x`."""
    for heading in compiled(_SECTION).finditer(text):
        line = compiled(_SETTING).match(text, heading.end())
        for _ in range(32):
            if line is None or (heading.group(2) == ":" and line.group(1) <= heading.group(1)):
                break
            _, user, value = line.groups()
            if value is not None and is_of_a_user(user, value):
                spans.append((line.start(3), line.end(3), "password"))
            line = compiled(_SETTING).match(text, line.end())


# What heads a file of secrets, and a line of it: for whom, at which server, the secret.
_FILE_OF_SECRETS = r"(?i:(?:chap|pap)-secrets|secrets for authentication|client\s{1,8}server\s{1,8}secret|userlist\.txt)[^\n]{0,80}\n"
_LINE = (
    r"(?:[ \t]*(?:#[^\n]{0,120})?\n){0,8}\"?[\w.@*\\\-]{1,40}\"?[ \t]{1,16}(?:\"?[\w.*\-]{1,40}\"?[ \t]{1,16})?"
    r"\"?([^\s\"#]{4,128})\"?(?:[ \t]{1,16}[\d.*/]{1,40})?[ \t]{0,8}(?:\r?\n|\Z)"
)


def files_of_secrets(text: str, spans: list[Span]) -> None:
    """Find the secrets of `chap-secrets` and its like, which stand in a column without a name."""
    for heading in compiled(_FILE_OF_SECRETS).finditer(text):
        line = compiled(_LINE).match(text, heading.end())
        while line is not None:
            if is_secret(line.group(1), 3, "cell", True, False):
                spans.append((line.start(1), line.end(1), "password"))
            line = compiled(_LINE).match(text, line.end())


def kubernetes(text: str, spans: list[Span]) -> None:
    """Every value under `data:` of a Secret, whatever it looks like."""
    if compiled(r"kind[\"']?:[ \t]{0,4}[\"']?Secret\b").search(text) is None:
        return
    entries = compiled(
        r"\s{0,24}[\"']?[\w.\-]{1,128}[\"']?:[ \t]{0,4}[\"']?([^\s\"',{}\[]{4,2000})[\"',]{0,3}"
    )
    at = 0
    data = compiled(r"(?:stringData|data)[\"']?:\s{0,16}\{?").search(text)
    while data is not None:
        at = data.end()
        entry = entries.match(text, at)
        while entry is not None:
            spans.append((entry.start(1), entry.end(1), "kubernetes"))
            at = entry.end()
            entry = entries.match(text, at)
        data = compiled(r"(?:stringData|data)[\"']?:\s{0,16}\{?").search(text, at)


def codes(text: str, spans: list[Span]) -> None:
    """Find the codes listed below a heading: `Recovery codes:`, `Backup codes`."""
    heading = (
        r"(?i:recovery|backup|scratch)(?i:[ _\-](?:codes?|keys?))[\"']?[^\n]{0,80}?(?=[:\n\[])"
    )
    code = compiled(
        r"[\s:,\[\"'*\-]{0,12}(?:\d{1,2}[.)] )?((?=[a-zA-Z\-]{0,24}\d)[A-Za-z0-9]{4,12}(?:[- ]?[A-Za-z0-9]{4,12}){0,7})(?![\w:])"
    )
    for found in compiled(heading).finditer(text):
        one = code.match(text, found.end())
        while one is not None and len(one.group(1)) >= 8:
            spans.append((one.start(1), one.end(1), "recovery-code"))
            one = code.match(text, one.end())
