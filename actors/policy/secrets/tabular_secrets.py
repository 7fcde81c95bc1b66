"""Secrets in tables and lists: cells below the name of their column or beside it, lines below a heading.

The headings are of sections of settings, of files of secrets, of codes, of Kubernetes.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.secrets.assigned_secrets import is_of_a_user
from actors.policy.secrets.given_values import Given
from actors.policy.secrets.passphrases import phrase_end
from actors.policy.secrets.secret_values import LONG, OF_THE_TRADE, compiled, is_likely, is_secret
from actors.policy.secrets.secret_words import kind_of

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from actors.policy.secrets.secret_values import Span


class Table:
    """The last table read: its rows, and the number of names of its head followed."""

    __slots__ = ("begin", "end", "followed", "head")

    def __init__(self) -> None:
        self.begin = self.end = self.head = self.followed = 0


def below(given: Given, end: int, table: Table, spans: list[Span]) -> None:
    """Judge the cells below a name at the head of a column."""
    text = given.text
    if text[end : end + 1] not in "\"'`* \t|,;\r\n":
        return
    if text[end : end + 1] == " " and text[end + 1 : end + 2] not in " \t|│,;\r\n(":
        return  # as in most sentences
    first = text.rfind("\n", max(0, given.start - 400), given.start) + 1
    if table.head == first and table.followed >= 4:
        return
    if not compiled(_HEAD_ENDS).match(text, end):
        return
    last = text.find("\n", end, end + 400)
    if last < 0 or given.start - first > 400:
        return
    head = text[first:last]
    if "|" in head and compiled(r"\|[ \t]*\r?\n\Z").search(text[max(0, first - 8) : first]):
        return  # a row, not the head
    if table.head != first:
        table.head, table.followed = first, 0
    table.followed += 1
    inner = head.strip(" \t\r,;")
    split = next((mark for mark in ("|", "│", "\t", ",", ";", "  ") if mark in inner), "")
    if not split:
        return
    cells = head.count(split)
    column = given.start - first if split == "  " else head[: given.start - first].count(split)
    table.begin = at = last + 1
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        row = text[at:stop]
        if compiled(r"[ \t]{0,8}[+|:\-= ─═├┼┤╞╪╡┌┬┐└┴┘]{3,}\r?\Z").match(row) is None:
            cell = _aligned(row, column) if split == "  " else _separated(row, column, split, cells)
            if cell is None:
                break
            if (
                given.name.lower() != "pass"  # which may count tests
                or is_likely(cell[1].strip())
                or compiled(_OF_LOGINS).search(head) is not None
            ):
                _judge_cell(given, cell[1], at + cell[0], spans)
        at = stop + 1
    table.end = at


# What ends a cell that names a column, and what a head holds when `pass` is no verdict.
_HEAD_ENDS = r"[\"'`*]{0,2}(?: ?\([^()\n]{1,24}\))?[ \t]{0,40}(?:[|│\t,;\r\n]|[ ]{2})"
_OF_LOGINS = r"(?i)user|login|mail|account|host|url|server|service|box"
_BESIDE = (
    r"[\"'`*]{0,2}(?: ?\([^()\n]{1,24}\))?[ \t]{0,24}[|│,;\t][ \t]{0,24}[\"'`*]{0,2}([^\s|│,;\"'`]{6,80})"
    r"[\"'`*]{0,2}[ \t]{0,24}[|│]?[ \t]{0,4}(?:\r?\n|\Z)"
)


# What a table of rules holds: lengths, ages, dates, types, tickets, paths.
_OF_A_POLICY = (
    r"[≥≤<>~=]{0,2}\d{1,4}(?:[.,\-–/]\d{1,4}){0,3}[+%]?-?[A-Za-z]{0,7}\Z|\d{4}-\d\d-\d\d|\w{1,16}\(\d*\)\Z|[A-Z]{2,10}-\d{1,6}\Z"
    r"|[a-z][\w\-]{0,24}[/:][\w\-]{1,24}(?:[/#:.][\w\-]{1,24}){1,6}\Z|(?:min|max|every)[\-_]?\d"
)


def beside(given: Given, end: int, spans: list[Span]) -> bool:
    """Judge the last cell of a row behind a name: `| password | h4ckme99 |`, `db_password,h4ckme99`."""
    cell = compiled(_BESIDE).match(given.text, end)
    if cell is None or not is_likely(cell.group(1)):
        return False
    spans.append((cell.start(1), cell.end(1), kind_of(given.name)))
    return True


def _separated(row: str, column: int, split: str, cells: int) -> tuple[int, str] | None:
    """Return where a cell begins in a row of cells with a separator, and its text."""
    parts = row.split(split)
    if len(parts) != cells + 1:
        return None
    return sum(len(part) + 1 for part in parts[:column]), parts[column]


def _aligned(row: str, column: int) -> tuple[int, str] | None:
    """Return the cell at a column in a row with columns set by blanks."""
    cell = compiled(r"\S{1,120}").match(row, column)
    if cell is None or row[column - 1 : column].strip() or "  " not in row.strip():
        return None
    return column, cell.group()


def _judge_cell(given: Given, cell: str, offset: int, spans: list[Span]) -> None:
    """Keep where a cell's value is if it is a secret."""
    value = cell.strip(" \t\r\"'`")
    pair = compiled(r"([\w.@\-]{1,40}) ?[/:] ?([^\s/:]{4,64})\Z").match(value)
    if pair is not None and (given.says == 2 or given.before.endswith("/")):
        value = pair.group(2) if is_of_a_user(pair.group(1), pair.group(2)) else ""
    if (
        compiled(_OF_A_POLICY).match(value) is not None
        or compiled(OF_THE_TRADE).match(value) is not None
    ):
        return
    if " " in value and phrase_end(value, 0, True) != len(value):
        return  # a sentence
    if is_secret(value[:LONG], given.says, "cell", False, False):
        start = offset + cell.index(value)
        spans.append((start, start + len(value), kind_of(given.name)))


# -- lists below a heading

_SECTION = (
    r"(?:(?<=\n)|\A)([ \t]{0,16})\[?(?:[\w.\-]{0,24}[_.\-])?(?:(?:basic_?)?auth(?:_users)?|users|accounts|admins"
    r"|logins|credentials|creds|passwords|secrets)(\]|:)[ \t]{0,8}\r?\n"
)
_SETTING = (
    r"([ \t]{0,24})(?:- )?[\"']?([\w.@\-]{1,40})[\"']?[ \t]{0,8}[=:][ \t]{0,8}(?:[\"']?([^\s\"',;#/]{1,128})[\"']?)?"
    r"[^\n]{0,120}(?:\n|\Z)"
)


def users_in_sections(text: str, spans: list[Span]) -> None:
    """Find users' values in a section for them: `[auth]` and below it `bob = x`."""
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
