"""Secrets behind flags of command line tools: `mysql -p…`, `curl -u user:…`, as the tools document it.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re

from actors.policy.secrets.secret_tables import sections
from actors.policy.secrets.secret_values import compiled, is_secret

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from actors.policy.secrets.secret_values import Span

_FLAG = re.compile(
    r" -(?:[sSkLfviI]{1,6}(?=u))?(-user|-auth|-proxy-user|-creds|-src-creds|-dest-creds|-uri|-basic-auth|auth|hp"
    r"|pas|pw|ap|xp|[paPwUuAXkKNsc])(?=[= \"'\w!@#%^&*+])"
)
# A user's name behind its own flag: what `-p` holds next is the password, whatever the tool.
_USER_FLAG = r" -(?:[uU]|-user(?:name)?)[= ][\"']?[\w.@\\\-]{1,64}[\"']?\Z"
_ARGUMENT = (
    r"(?:\"([^\"$\n]{4,128})\"|'([^'\n]{4,128})'|[\"']?([^\s\"'$\-\[<{|;&][^\s\"'|;&]{3,128}))"
)


def commands(text: str, spans: list[Span]) -> None:
    """Find a command line tool's secret behind a flag of another sense elsewhere."""
    for found in _FLAG.finditer(text):
        head = text[max(0, found.start() - 200) : found.start()]
        command = compiled(r"[|;&\n]").split(head.replace("\\\n", " "))[-1]
        words = {word.rpartition("/")[2].lower() for word in command.strip("`$(\"'").split()}
        behind_user = found.group(1) == "p" and compiled(_USER_FLAG).search(command) is not None
        for tools, between in _ANY_TOOL if behind_user else _BY_FLAG[found.group(1)]:
            if words.isdisjoint(tools) and not behind_user:
                continue
            value = compiled(between + _ARGUMENT).match(text, found.end())
            group = 0 if value is None else value.lastindex or 0
            if value is not None and _is_argument_secret(value.group(group)):
                spans.append((value.start(group), value.end(group), "password"))
                break


def _by_flag() -> dict[str, list[tuple[frozenset[str], str]]]:
    """Return for each flag its tools, and the text before the secret."""
    flags: dict[str, list[tuple[frozenset[str], str]]] = {}
    for line in sections("flag_secrets")["flags"]:
        names, tools, between = line.split(" | ", 2)
        for name in names.split():
            flags.setdefault(name, []).append((frozenset(tools.split()), between[1:-1]))
    return flags


_BY_FLAG = _by_flag()
_NO_TOOL: frozenset[str] = frozenset()
_ANY_TOOL = [(_NO_TOOL, r"[= ]?")]


def _is_argument_secret(value: str) -> bool:
    """Return whether an argument is a secret: no reference, no placeholder, no port, no path."""
    if (
        compiled(r"\d{1,5}(?::\d{1,5})?(?:/\w+)?\Z|[./~]|[a-z]{1,24}:\w|\d+\.\d").match(value)
        is not None
    ):
        return False
    return is_secret(value, 3, "flag", True, False)
