"""Text of a failed command: a signature, the same for the same failure, and the files in it.

Two runs of one failure differ in numbers, hashes, times and temporary paths; the signature is the
most telling line without them. A line of any failure ("task failed") is none, and a program's logs
on the way to the failure say nothing of it.
"""

import re
from collections.abc import Iterable
from typing import Final

from actors.policy.events.commands import error_in
from actors.policy.patterns import pattern
from actors.policy.text.wording import one_line
from actors.policy.text.words import caseless

READ: Final = 20_000  # characters of an output: intake leaves 16 KB of one
LINE: Final = 1_000  # characters of a line
NAMED: Final = 64  # files that an output names
SIGNATURE: Final = 160  # characters
TELLING: Final = 3  # words that say something, in a line that tells failures apart. A choice

_COLOUR: Final = pattern(r"\x1b\[[0-9;?]*[A-Za-z]")
_RAISED: Final = pattern(
    r"^(?:E[ \t]+)?((?:\w++\.)*+\w+(?:Error|Exception|Panic)\b: .+)$", re.MULTILINE
)
# A compiler's, linter's or test's line: `src/a.ts:3:7: message`, `src/a.ts(3,7): message`.
_LOCATED: Final = pattern(
    r"\A[ \t]*+((?:[\w.@+~-]*+/)*+[\w.@+~-]++)(?::\d++|\(\d++)(?:[:,]\d++)?\)?:?[ \t]++(\S.*)\Z"
)
# A file with a line's number, also in a stack: `File "a.py", line 3`, `at f (/src/a.js:3:7)`.
_PLACE: Final = pattern(r"(?<![\w.@+~/-])([\w.@+~-]*+(?:/[\w.@+~-]++)*+)(?::\d|\(\d|\", line \d)")
_LOGGED: Final = pattern(r"\b(?:INFO|DEBUG|TRACE|WARN(?:ING)?)\b|\b\w++=\S{0,80}+ \w++=")
# A test by its name, in pytest's summary: what it raised may be one word (`KeyError: 'rate'`).
_SUMMED: Final = pattern(r"^FAILED (\S+?::\S.*)$", re.MULTILINE)
# The name of a package that a compiler heads its lines with, as a linter passes it on.
_HEADING: Final = pattern(r"\A[: \t]*+# ")
_QUOTED_FILE: Final = pattern(r"['\"`](?:\./)?([\w.@+~/-]+)['\"`]")
_NOT_FOUND: Final = pattern(
    r"\bcommand not found: ([\w./+-]+)\Z|(?<![\w./+-])([\w./+-]++): (?:command )?not found\Z"
)
_VARYING: Final = caseless(
    r"(?:/private)?/(?:var/)?tmp/[^\s:'\"]*|\b(?=[a-z]*\d)[0-9a-f]{6,40}\b|\b0x[0-9a-f]+\b|\d+"
)
_TEST_FILE: Final = pattern(
    r"(?:^|/)(?:tests?|__tests__|specs?)/|(?:^|/)test_[^/]*\Z|[._](?:test|spec)\.\w+\Z"
)
_ARGUMENT: Final = pattern(r"(?<![\w@./-])[\w@./-]++")
_WORD: Final = pattern(r"[A-Za-z][A-Za-z_]{2,}")
# What every failure says of itself.
_EMPTY: Final = frozenset(
    "err error errors exit code status task tasks command failed failure fail failing build test"
    " tests lint run make script the and with for was not has npm see log logs details more info"
    " panic exited process returned".split()
)
# A shell's own word that the command ran, and ended by itself.
_RAN: Final = pattern(r"\AExit code (\d+)\b")
_STOPPED: Final = frozenset({"0", "124", "130", "137", "143"})  # timeouts and signals


def of_run(error: str, output: str) -> str:
    """Return the signature of a failed run; empty when it was refused, stopped or timed out.

    ``error`` is empty where only the output tells of a failure.
    """
    said = _RAN.match(error)
    ran = said is not None and said[1] not in _STOPPED
    return signature(error or output) if ran or not error else ""


def signature(text: str) -> str:
    """Return the distinguishing line of this failure, without varying parts; empty when there is none."""
    plain = _COLOUR.sub("", text[:READ])
    for line in _candidates(plain):
        masked = without_varying(line[:LINE])
        telling = {word for word in _WORD.findall(masked) if word.casefold() not in _EMPTY}
        if len(telling) >= TELLING:
            return one_line(masked, SIGNATURE)
    return ""


def without_varying(text: str) -> str:
    """Return the text with a mark for each number, hash and temporary path."""
    return _VARYING.sub("#", text)


def _candidates(plain: str) -> Iterable[str]:
    """Yield candidate lines, the most telling first.

    An exception's last; a test's last, since it only logged before; a compiler's first, since the
    others may follow from it. A test with little to say has its name.
    """
    raised = _RAISED.findall(plain)
    yield from raised[-1:]
    located = [found for line in _said(plain) if (found := _LOCATED.match(line))]
    located = [one for one in located if not _HEADING.match(one[2])]
    tested = [one for one in located if is_test_file(one[1])]
    for one in (*tested[-1:], *located):
        yield f"{one[1].rpartition('/')[2]}: {one[2]}"
    yield from _SUMMED.findall(plain)[-1:]
    yield error_in(plain)


def _said(plain: str) -> Iterable[str]:
    """Yield the lines of a program other than logs."""
    return (line[:LINE] for line in plain.splitlines() if not _LOGGED.search(line[:LINE]))


def named_files(text: str) -> frozenset[str]:
    """Return the files in which an output places a failure, also by the last two parts of a path."""
    plain = _COLOUR.sub("", text[:READ])
    names = [name for line in _said(plain) for name in _PLACE.findall(line)]
    names += _QUOTED_FILE.findall(error_in(plain))
    found: dict[str, None] = {}
    for name in dict.fromkeys(one.removeprefix("./") for one in names if one):
        found |= dict.fromkeys((name, "/".join(name.split("/")[-2:])))
    return frozenset(list(found)[: 2 * NAMED])


def names_file(names: frozenset[str], path: str) -> bool:
    """Tell whether these names mean this file: one of them is the end of its path."""
    parts = path.split("/")
    return any("/".join(parts[at:]) in names for at in range(len(parts)))


def is_test_file(path: str) -> bool:
    """Tell whether a file holds tests, by its name or folder."""
    return bool(_TEST_FILE.search(path))


def missing_program(error: str) -> str:
    """Return the program a shell did not find; empty for another error."""
    found = _NOT_FOUND.search(error)
    return (found[1] or found[2]) if found else ""


def names_argument(error: str, repair: str) -> bool:
    """Return whether an error names the object of a repair, or the repair itself."""
    said = error.casefold()
    program, *arguments = repair.casefold().split()
    if arguments and f"{program} {arguments[0]}" in said:
        return True
    plain = (re.split(r"[=<>~^\[]|(?<=.)@", one)[0] for one in arguments[1:] if one[:1] != "-")
    words = {one.removeprefix("./").rstrip(".-/") for one in _ARGUMENT.findall(said)}
    return any(len(one) > 1 and one in words for one in plain)
