"""Shell commands as values, for comparing one call with another, and what a failed one says.

Two lines of one family try to do the same thing, so a working one explains a failed one. A failure has a
signature, the same in another run of it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from actors.policy.events.command_lines import ASSIGNMENT, pipelines
from actors.policy.events.edits import is_edit
from actors.policy.patterns import pattern
from actors.policy.text.wording import one_line
from actors.policy.text.words import caseless, expressions, table, word_list

ERROR: Final = 160  # characters of an error
_PURPOSE: Final = 6  # words of a command that are looked at for what it is for

_EXPRESSIONS: Final = expressions(__name__)
# Unclosed quotes and here-documents reach to the end: scanning stays linear in hostile input.
_QUOTED: Final = pattern(_EXPRESSIONS["quoted"], re.DOTALL)
_HIDING: Final = pattern(r"[|;\n]|&\s*\Z")
_WRAPPER: Final = pattern(_EXPRESSIONS["wrapper"])
# What only moves or looks: a failure of one teaches nothing.
_TRIVIAL: Final = word_list(__name__, "trivial")
_SUBCOMMANDS: Final = word_list(__name__, "subcommands")


def _beginning(name: str, end: str) -> re.Pattern[str]:
    """A command line that begins like a line of the table under this name."""
    ways: str = table(__name__)[name]
    return pattern(f"^(?:{'|'.join(ways.strip().splitlines())}){end}")


_TEST: Final = _beginning("test", r"\b")
_BUILD: Final = _beginning("build", r"(?=\s|$)")
_READ: Final = _beginning("read", "")
ASKED: Final = frozenset({"--help", "--version"})  # options by which a program only tells of itself
_FAILED_TESTS: Final = pattern(_EXPRESSIONS["failed_tests"], re.MULTILINE)
_PASSED_TESTS: Final = pattern(_EXPRESSIONS["passed_tests"], re.MULTILINE)
_ERRORS: Final = tuple(map(pattern, table(__name__)["errors"]))
LINE_READ: Final = 8 * 1024  # characters of a line: 30 ms of CPU for the dearest of that length
_EXIT: Final = pattern(r"^Exit code \d+\s*", re.IGNORECASE)
_COLOUR: Final = pattern(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATHLIKE: Final = pattern(r"(?:^|\s)(?!-)(\S*(?:/|\.\w+|::)\S*)")
_SELECTION: Final = pattern(r"(?:^|\s)(?:-k|-t|-run|--testNamePattern|--grep|--filter|-m)(?:\s|=)")


@lru_cache(maxsize=64)
def segments(line: str) -> tuple[str, ...]:
    """The simple commands of a command line, each on one line, without wrappers and redirections."""
    found: list[str] = []
    for command in chain.from_iterable(pipelines(line[:LINE_READ])):
        bare = " ".join(" ".join(command.words).split())
        while (unwrapped := _WRAPPER.sub("", bare)) != bare:
            bare = unwrapped
        found.append(bare)
    return tuple(filter(None, found))


@lru_cache(maxsize=64)
def telling(line: str) -> str:
    """The working part of a command line, a run before an edit; empty when it only looks or moves."""
    working = list(filter(_works, segments(line)))
    return next((one for one in working if not is_edit(one)), working[0] if working else "")


def family(line: str) -> str:
    """Purpose of a command line, as in `python app.py` or `npm test`; empty when nothing to learn from."""
    segment = _plain(telling(line))
    runner = _TEST.match(segment)
    if runner:
        return re.sub(r"^python\S* -m |^python\S* | run\b", "", runner.group())
    words = segment.split()
    if not words:
        return ""
    program = words[0]
    if len(words) == 1:
        return program
    if program in _SUBCOMMANDS:
        subject = words[1:3] if words[1] in ("run", "compose", "-m") else words[1:2]
    else:
        subject = [word for word in words[1:] if not word.startswith("-")][:1]
    return " ".join([program, *subject])


def families(line: str) -> frozenset[str]:
    """Return the families of a command line's working parts; an edit of files is none."""
    working = (one for one in segments(line) if _works(one) and not is_edit(one))
    return frozenset(filter(None, map(family, working)))


def tells_its_end(line: str) -> bool:
    """Return whether a line's exit code is its last command's: no pipe, `;` or `||` hides it."""
    masked = _QUOTED.sub("", line)
    return not _HIDING.search(masked.strip())


def is_test(line: str) -> bool:
    """Return whether a command line runs tests."""
    return bool(_TEST.match(_plain(telling(line))))


def purpose(words: Sequence[str]) -> int:
    """Return how many leading words mark a simple command as a build, test, lint or mere look; 0 for another.

    For a program of mere looks its first target counts too.
    """
    if not words or not ASKED.isdisjoint(words):
        return len(words)
    if words[0] in _TRIVIAL:
        return 2
    line = " ".join(words[:_PURPOSE])
    found = _TEST.match(line) or _BUILD.match(line) or _READ.match(line)
    return len(found.group().split()) if found else 0


def shows_failed_tests(output: str) -> bool:
    """Return whether test output counts failures, whatever the exit code said (`pytest | tail`)."""
    return bool(_FAILED_TESTS.search(_COLOUR.sub("", output)))


def shows_passed_tests(output: str) -> bool:
    """Return whether test output reports passed tests."""
    return bool(_PASSED_TESTS.search(_COLOUR.sub("", output)))


def error_line(text: str) -> str:
    """The most telling line of an error, at most 160 characters; empty when there is none."""
    plain = _EXIT.sub("", _COLOUR.sub("", text)).strip()
    return error_in(plain) or one_line(plain.partition("\n")[0], ERROR)


def error_in(plain: str) -> str:
    """Return the most telling line of an error; empty when there is none."""
    for form in _ERRORS:
        found = form.findall(plain)
        if found:
            return one_line(found[-1], ERROR)
    return ""


def covers(passing: str, failing: str) -> bool:
    """Return whether a passing test run covers the failing one: the same targets, or everything."""
    if " ".join(passing.split()) == " ".join(failing.split()):
        return True
    green, red = telling(passing), telling(failing)
    if _SELECTION.search(green):
        return green == red
    green_targets = set(_PATHLIKE.findall(green.partition(" ")[2]))
    red_targets = set(_PATHLIKE.findall(red.partition(" ")[2]))
    return not green_targets or (bool(red_targets) and red_targets <= green_targets)


def _plain(segment: str) -> str:
    """The segment with a bare program name in front: without its folder, and Python's version."""
    first, space, rest = segment.partition(" ")
    name = first.rpartition("/")[2] or first
    return f"{'python' if re.fullmatch(r'python[0-9.]*', name) else name}{space}{rest}"


def _works(segment: str) -> bool:
    """Tell whether a simple command does more than look, move or note a value."""
    program = _plain(segment).partition(" ")[0]
    return program not in _TRIVIAL and ASSIGNMENT.match(segment) is None


# ---- signatures of failures, and the files in their texts
#
# Two runs of one failure differ in numbers, hashes, times and temporary paths; the signature is the
# most telling line without them. A line of any failure ("task failed") is none, and a program's logs
# on the way to the failure say nothing of it.


READ: Final = 20_000  # characters of an output: intake leaves 16 KB of one
LINE: Final = 1_000  # characters of a line
NAMED: Final = 64  # files that an output names
SIGNATURE: Final = 160  # characters
TELLING: Final = 3  # words that say something, in a line that tells failures apart. A choice

_RAISED: Final = pattern(_EXPRESSIONS["raised"], re.MULTILINE)
# A compiler's, linter's or test's line: `src/a.ts:3:7: message`, `src/a.ts(3,7): message`.
_LOCATED: Final = pattern(_EXPRESSIONS["located"])
# A file with a line's number, also in a stack: `File "a.py", line 3`, `at f (/src/a.js:3:7)`.
_PLACE: Final = pattern(r"(?<![\w.@+~/-])([\w.@+~-]*+(?:/[\w.@+~-]++)*+)(?::\d|\(\d|\", line \d)")
_LOGGED: Final = pattern(r"\b(?:INFO|DEBUG|TRACE|WARN(?:ING)?)\b|\b\w++=\S{0,80}+ \w++=")
# A test by its name, in pytest's summary: what it raised may be one word (`KeyError: 'rate'`).
_SUMMED: Final = pattern(r"^FAILED (\S+?::\S.*)$", re.MULTILINE)
# The name of a package that a compiler heads its lines with, as a linter passes it on.
_HEADING: Final = pattern(r"\A[: \t]*+# ")
_QUOTED_FILE: Final = pattern(r"['\"`](?:\./)?([\w.@+~/-]+)['\"`]")
_VARYING: Final = caseless(_EXPRESSIONS["varying"])
_TEST_FILE: Final = pattern(_EXPRESSIONS["test_file"])
_WORD: Final = pattern(r"[A-Za-z][A-Za-z_]{2,}")
# What every failure says of itself.
_EMPTY: Final = word_list(__name__, "empty")
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
