"""Secrets known by the name they are given to, in the syntaxes for joining a name to a value, and in tables."""

from __future__ import annotations

from binascii import Error, a2b_base64
from itertools import islice

from actors.policy.secrets.given_values import (
    JOIN,
    Given,
    is_of_a_user,
    joined,
    paired,
    phrase_end,
)
from actors.policy.secrets.secret_values import (
    LETTERS,
    LONG,
    OF_THE_TRADE,
    Span,
    compiled,
    fits,
    holds,
    in_a_row,
    is_likely,
    is_random,
    is_secret,
    past,
    sections,
)
from actors.policy.secrets.secret_words import (
    KEYS_OF,
    LOGINS,
    OPENERS,
    PUBLIC,
    STEMS,
    STEMS_OUTSIDE_ASCII,
    Literals,
    strength,
)
from actors.policy.secrets.spoken_secrets import logged_in, opened, renewed, said_before, spoken

_TABLE = sections("named_secrets")
_IDENTIFIER = LETTERS + "0123456789_."
_DASHED = _IDENTIFIER + "-"
_GOES_ON = frozenset((*_DASHED, "\\", ""))  # before a stem: its name may have begun further ahead
_NAMES = Literals(STEMS)
# First bytes in UTF-8 of letters that no word of English has, Latin and Cyrillic: signs and dashes alone
# are no reason to look for stems.
_FOREIGN = bytes((*range(0xC3, 0xCA), *range(0xD0, 0xD4)))


def stems_outside_ascii(text: str) -> list[tuple[int, str]]:
    """Return where which stems of other alphabets stand in `text`."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded.translate(None, _FOREIGN)) == len(encoded):
        return []
    # U+0130 alone changes length when lower-cased; positions must be those of `text`.
    lower = text.replace("\u0130", "i").lower()
    return [
        (found.start(), stem)
        for stem in STEMS_OUTSIDE_ASCII
        for found in compiled(stem).finditer(lower)
    ]


def name_scan(text: str, hits: list[tuple[int, str]], spans: list[Span]) -> None:
    """Find values of names of secrecy; `hits`: places and stems."""
    first = done = 0  # where the last name began and ended
    table = Table()
    for at, stem in hits:
        if stem in LOGINS:
            logged_in(text, at + len(stem), spans)
        elif stem == "new one":
            renewed(text, at, spans)
        if first <= at < done:
            continue
        if stem in OPENERS:
            opened(text, at, spans)
            continue
        if stem in ("bearer", "basic"):
            first, done = at, _presented(text, at + len(stem), stem, spans)
        else:
            first, done = _bounds(text, at, at + len(stem))
            done = _named(text, first, done, table, spans)


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the identifier around a stem begins and ends."""
    first = start
    if text[start - 1 : start] in _GOES_ON:
        before = text[max(0, start - 64) : start]
        head = before.rstrip(_DASHED)
        first = start - len(before) + len(head)
        if head.endswith("\\") and text[first] in "nrt":  # an escape, not a letter
            first += 1
        while text[first] in "-.":
            first += 1
    last = past(r"[\w.\-]{0,48}", text, end)
    while last > end and text[last - 1] in "-.":
        last -= 1
    return first, last


_BLANKS = (" ", "\t")
_FOLLOWS = " \t\r\n\"'`’\\)]}*?!=:|>,({<;[-%&"


def _named(text: str, start: int, end: int, table: Table, spans: list[Span]) -> int:
    """Find the value of the name between `start` and `end`; return where to go on."""
    if text.startswith(("pass phrase", "Pass phrase", "pass Phrase"), end - 4):
        end += 7
    name = text[start:end]
    if text.startswith("...", end):  # the leader of a column: `password......: x`
        end += len(text[end : end + 48]) - len(text[end : end + 48].lstrip("."))
    if text[end : end + 1] not in _FOLLOWS:  # or the name is longer than any that people write
        return end
    says = strength(name)
    if not says:
        return end
    if says == 1 and text[start - 1 : start] == " ":
        says = _beside(text[max(0, start - 24) : start])
        if not says:
            return end
    given = Given(text, start, name, says, spans)
    join = JOIN.match(text, end)
    if (
        paired(given, end)
        or (join is not None and joined(given, join))
        or (
            text[end : end + 1] in " \t:;,?('’["
            and text[end : end + 3] != " | "
            and (text[end : end + 1] != "," or text[end + 1 : end + 2] in _BLANKS)  # not `pw,a`
            and spoken(given, end)
        )
        or (text[start - 1 : start] == " " and says >= 2 and said_before(given))
    ):
        return max(end, given.read)
    if says == 3 and text[end : end + 1] in "\"'`* \t|,;" and beside(given, end):
        return end
    if not table.begin <= start < table.end:
        below(given, end, table)
    return max(end, given.read)


def _beside(before: str) -> int:
    """Return how much a key or token says by the word before it: `public key`, `wifi key`."""
    words = before.rsplit(None, 1)
    word = words[-1].strip("\"'`*(").lower() if words else ""
    if word in PUBLIC or word in ("no", "unexpected", "invalid", "expected", "missing"):
        return 0
    if word in ("wifi", "wi-fi", "wlan"):
        return 3
    return 2 if word in KEYS_OF else 1


def _presented(text: str, end: int, word: str, spans: list[Span]) -> int:
    """Find `Bearer …` and `Basic …`, wherever they stand; return where to go on."""
    match = compiled(r"[ \t]{1,4}([A-Za-z0-9_.\-~+/]{8,}=*)").match(text, end)
    if match is None:
        return end
    value = match.group(1)
    if is_random(value[:LONG], 12) or (word == "basic" and hides_a_secret(value)):
        spans.append((match.start(1), match.end(1), word))
    return match.end(1)


def hides_a_secret(run: str) -> bool:
    """Return whether a run is base64 of text in which there is a secret."""
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
    if fits(r"[A-Za-z][\w.\-@]{1,40}:[^\s:/]{6,64}\s{0,2}\Z", shown):
        return True
    spans: list[Span] = []
    name_scan(shown, _NAMES.hits(shown.lower()), spans)
    return any(kind not in ("email", "ip", "person-number") for _, _, kind in spans)


_PRINTABLE = bytes(range(32, 127)) + b"\t\r\n"


# ---- tables and lists: cells below the name of their column or beside it, lines below a heading
#
# The headings are of sections of settings, of files of secrets, of codes, of Kubernetes.


class Table:
    """The last table read: its rows, and the number of names of its head followed."""

    __slots__ = ("begin", "end", "followed", "head")

    def __init__(self) -> None:
        self.begin = self.end = self.head = self.followed = 0


def below(given: Given, end: int, table: Table) -> None:
    """Judge the cells below a name at the head of a column."""
    text = given.text
    if text[end : end + 1] not in "\"'`* \t|,;\r\n":
        return
    if text[end : end + 1] == " " and text[end + 1 : end + 2] not in " \t|│,;\r\n(":
        return  # as in most sentences
    first = text.rfind("\n", max(0, given.start - 400), given.start) + 1
    if table.head == first and table.followed >= 4:
        return
    if not fits(_HEAD_ENDS, text, end):
        return
    last = text.find("\n", end, end + 400)
    if last < 0 or given.start - first > 400:
        return
    head = text[first:last]
    if "|" in head and holds(r"\|[ \t]*\r?\n\Z", text[max(0, first - 8) : first]):
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
        if not fits(r"[ \t]{0,8}[+|:\-= ─═├┼┤╞╪╡┌┬┐└┴┘]{3,}\r?\Z", row):
            cell = _aligned(row, column) if split == "  " else _separated(row, column, split, cells)
            if cell is None:
                break
            if (
                given.name.lower() != "pass"  # which may count tests
                or is_likely(cell[1].strip())
                or holds(_OF_LOGINS, head)
            ):
                _judge_cell(given, cell[1], at + cell[0])
        at = stop + 1
    table.end = at


# What ends a cell that names a column, and what a head holds when `pass` is no verdict.
_HEAD_ENDS = r"[\"'`*]{0,2}(?: ?\([^()\n]{1,24}\))?[ \t]{0,40}(?:[|│\t,;\r\n]|[ ]{2})"
_OF_LOGINS = r"(?i)user|login|mail|account|host|url|server|service|box"


def beside(given: Given, end: int) -> bool:
    """Judge the last cell of a row behind a name: `| password | h4ckme99 |`, `db_password,h4ckme99`."""
    cell = compiled(_TABLE["beside"][0]).match(given.text, end)
    return cell is not None and is_likely(cell.group(1)) and given.keep(*cell.span(1))


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


def _judge_cell(given: Given, cell: str, offset: int) -> None:
    """Keep where a cell's value is if it is a secret."""
    value = cell.strip(" \t\r\"'`")
    pair = compiled(r"([\w.@\-]{1,40}) ?[/:] ?([^\s/:]{4,64})\Z").match(value)
    if pair is not None and (given.says == 2 or given.before.endswith("/")):
        value = pair.group(2) if is_of_a_user(pair.group(1), pair.group(2)) else ""
    if fits(_TABLE["of a policy"][0], value) or fits(OF_THE_TRADE, value):
        return
    if " " in value and phrase_end(value, 0, True) != len(value):
        return  # a sentence
    if is_secret(value[:LONG], given.says, "cell"):
        start = offset + cell.index(value)
        given.keep(start, start + len(value))


# -- lists below a heading


def users_in_sections(text: str, spans: list[Span]) -> None:
    """Find users' values in a section for them: `[auth]` and below it `bob = x`."""
    for heading in compiled(_TABLE["section"][0]).finditer(text):
        for line in islice(in_a_row(_TABLE["setting"][0], text, heading.end()), 32):
            indent, user, value = line.groups()
            if heading.group(2) == ":" and indent <= heading.group(1):
                break
            if value is not None and is_of_a_user(user, value):
                spans.append((*line.span(3), "password"))


# What heads a file of secrets, and a line of it: for whom, at which server, the secret.
_FILE_OF_SECRETS = r"(?i:(?:chap|pap)-secrets|secrets for authentication|client\s{1,8}server\s{1,8}secret|userlist\.txt)[^\n]{0,80}\n"


def files_of_secrets(text: str, spans: list[Span]) -> None:
    """Find the secrets of `chap-secrets` and its like, which stand in a column without a name."""
    for heading in compiled(_FILE_OF_SECRETS).finditer(text):
        for line in in_a_row(_TABLE["line"][0], text, heading.end()):
            if is_secret(line.group(1), 3, "cell", quoted=True):
                spans.append((*line.span(1), "password"))


def kubernetes(text: str, spans: list[Span]) -> None:
    """Every value under `data:` of a Secret, whatever it looks like."""
    if not holds(r"kind[\"']?:[ \t]{0,4}[\"']?Secret\b", text):
        return
    entries = (
        r"\s{0,24}[\"']?[\w.\-]{1,128}[\"']?:[ \t]{0,4}[\"']?([^\s\"',{}\[]{4,2000})[\"',]{0,3}"
    )
    heading = compiled(r"(?:stringData|data)[\"']?:\s{0,16}\{?")
    data = heading.search(text)
    while data is not None:
        at = data.end()
        for entry in in_a_row(entries, text, at):
            spans.append((*entry.span(1), "kubernetes"))
            at = entry.end()
        data = heading.search(text, at)


def codes(text: str, spans: list[Span]) -> None:
    """Find the codes listed below a heading: `Recovery codes:`, `Backup codes`."""
    heading = (
        r"(?i:recovery|backup|scratch)(?i:[ _\-](?:codes?|keys?))[\"']?[^\n]{0,80}?(?=[:\n\[])"
    )
    code = r"[\s:,\[\"'*\-]{0,12}(?:\d{1,2}[.)] )?((?=[a-zA-Z\-]{0,24}\d)[A-Za-z0-9]{4,12}(?:[- ]?[A-Za-z0-9]{4,12}){0,7})(?![\w:])"
    for found in compiled(heading).finditer(text):
        for one in in_a_row(code, text, found.end()):
            if len(one.group(1)) < 8:
                break
            spans.append((*one.span(1), "recovery-code"))
