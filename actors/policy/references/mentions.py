"""Mentions: names of a person's rule in a prompt (a folder, a file, a command, a quoted name) or in a command to run.

Likeness says little of such a prompt: "edit vendor/legacy/parser.py" is near to nothing, and breaks the rule
about ``vendor/legacy`` all the same. A name is looked for by its words, and counts where it stands in the
prompt as it is written: a path as the same place of the checkout, a command with its options.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct

from actors.policy.events.command_lines import (
    ASSIGNMENT,
    expanded,
    pipelines,
    plain,
    program_of,
    unwrapped,
)
from actors.policy.events.commands import ASKED, purpose
from actors.policy.events.edits import below
from actors.policy.patterns import pattern
from actors.policy.references.naming import UNNAMED, command_prefix
from actors.policy.text.path_patterns import BadPattern, glob_matches
from actors.policy.text.phrases import (
    COMMAND,
    FIELDS,
    FILE,
    file_names,
    is_common,
    is_telling,
    keys_of,
    quoted_in,
)
from actors.policy.text.phrases import LONGEST as MOST_WORDS
from actors.policy.text.words import STOP_WORDS, expressions, word_list

_EXPRESSIONS: Final = expressions(__name__)

READ: Final = 2_000  # characters of a memory
MOST: Final = 24  # names of one
LONGEST: Final = 400  # characters of a path before the place where a name stands

_PATH: Final = pattern(r"(?<![\w/.:@-])(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]*")
_GLOB: Final = pattern(r"[\w.@*?\[\]{},/-]*")
_UNENDED: Final = pattern(_EXPRESSIONS["unended"])
# Libraries that are called as files end.
_LIBRARIES: Final = frozenset("alpine chart d3 express next node nuxt react three vue".split())
_ON: Final = pattern(r"[\w.@~/+-]*")
_GOES_ON: Final = pattern(r"[\w:/-]|\.\w")
_HOME: Final = pattern(r"\A(?:/(?:home|Users)/[^/]+|/root)(?=/)")
_MARKS: Final = frozenset("`\"'“”«»")
# Words that programs are called like: `make` and `go` begin many a sentence.
_WORDS: Final = frozenset("apt brew bundle cargo go just make poetry rake task".split())
_RUN: Final = frozenset("$ call execute executing invoke rerun run running runs".split())
_WITH: Final = _RUN | frozenset("by through use using via with".split())
_BEFORE: Final = _WITH | frozenset(
    "after always and before do don't never not of only or please than then to".split()
)
_LOOSE: Final = frozenset({"go", "just", "task"})  # and "use just one" is no command either
_AFTER: Final = pattern(_EXPRESSIONS["after"])


class Kind(Enum):
    """Kind of a name, by which it is told whether a prompt means it."""

    PATH = "path"  # a folder, with all below it, or a file
    FILE = "file"  # named without a folder: it may lie in any
    ALONE = "alone"  # a file of a path, where the prompt names it without a folder
    COMMAND = "command"
    QUOTED = "quoted"
    WORD = "word"  # quoted, and a word as others are: `pending`; the prompt has to quote it too


class Name(NamedTuple):
    """Name in a text."""

    text: str
    kind: Kind
    glob: str = ""  # of a path that ends in a pattern
    is_doubtful: bool = False  # "read/write" is a path only where a prompt has one below it


def names_of(text: str, project: str | None = None) -> tuple[Name, ...]:
    """Names of a memory's subject in its text, each once."""
    text = text[:READ].replace(f"{project}/", "") if project else text[:READ]
    found = (*_quoted(text), *_commands(text), *_paths(text), *_files(text))
    return tuple(dict.fromkeys(found))[:MOST]


def phrase_of(name: Name) -> str:
    """Words by which an index of phrases finds a name: of a long path the last ones."""
    keys = keys_of(name.text)
    is_long = name.kind is Kind.PATH and len(keys) > MOST_WORDS
    return " ".join(keys[-MOST_WORDS:]) if is_long else name.text


def by_phrase(names: Iterable[Name]) -> dict[str, tuple[Name, ...]]:
    """Put names under the words by which an index of phrases finds them."""
    found: dict[str, tuple[Name, ...]] = {}
    for one in names:
        key = " ".join(keys_of(phrase_of(one)))
        found[key] = (*found.get(key, ()), one)
    return found


def is_meant(name: Name, text: str, start: int, end: int, folders: Collection[str]) -> bool:
    """Return whether ``text[start:end]``, which has the words of a name, is the name or a part of it.

    ``folders``: the project, and the session's checkout.
    """
    match name.kind:
        case Kind.QUOTED:
            return _written(text[start:end]) == _written(name.text)
        case Kind.WORD:
            return start > 0 and text[start - 1] in _MARKS and text[end : end + 1] in _MARKS
        case Kind.COMMAND:
            as_written = _written(text[start:end]) == _written(name.text)
            return as_written and not _GOES_ON.match(text, end) and text[start - 1 : start] != "-"
        case Kind.FILE:
            written = _around(text, start)
            return written.rpartition("/")[2] == name.text and _is_inside(written, folders)
        case Kind.ALONE:
            return _around(text, start).removeprefix("./") == name.text
        case Kind.PATH:
            return _is_at(name, _around(text, start), folders)


# -- of a memory


def _quoted(text: str) -> Iterator[Name]:
    for inner in quoted_in(text):
        said, command = inner.strip(" .,:;!?()[]<>"), command_prefix(inner)
        if command:
            yield from _command(command)
        elif (_PATH.match(said) and " " not in said) or not any(map(str.isalpha, said)):
            continue
        elif is_telling(said, text) and not (said.isalpha() and said.islower()):
            yield Name(said, Kind.QUOTED)
        elif len(keys_of(said)) == 1 and not is_common(said) and said.lower() not in FIELDS:
            yield Name(said, Kind.WORD)


def _commands(text: str) -> Iterator[Name]:
    for found in COMMAND.finditer(text):
        program = found.group().partition(" ")[0]
        behind = text[max(0, found.start() - 20) : found.start()]
        before = behind.rstrip('`"“ ').split(" ")[-1].casefold()
        if program in _WORDS:
            leading = _RUN if program in _LOOSE else _WITH
            runs = before in leading or _AFTER.match(text, found.end()) is not None
        else:
            runs = before in _BEFORE or not before[-1:].isalnum() or " -" in found.group()
        if runs:
            yield from _command(found.group().rstrip(".:/"))


def _command(written: str) -> Iterator[Name]:
    """The name of a command, unless it is a beginning of a sentence: "make the", "go on"."""
    program, _, target = written.partition(" ")
    if program not in _WORDS or not (target == "sure" or target in STOP_WORDS):
        yield Name(written, Kind.COMMAND)


def _paths(text: str) -> Iterator[Name]:
    for found in _PATH.finditer(text):
        pattern = _GLOB.match(text, found.start())
        glob = pattern.group().rstrip(".,") if pattern else ""
        written = found.group().rstrip(".")
        glob = glob if "*" in glob else ""
        if glob:
            written = written.rpartition("/")[0] + "/"
        parts = [one for one in written.split("/") if one.strip(".~")]
        if not parts or all(one.isdigit() for one in parts):
            continue
        plain = len(parts) == 2 and not glob and written[0] not in "~./" and written[-1] != "/"
        yield Name(
            written.rstrip("/"),
            Kind.PATH,
            glob,
            plain and all(is_common(one) or one.isupper() for one in parts),
        )
        if not glob and "/" in written:
            yield from _called(parts[-1], Kind.ALONE)


def _files(text: str) -> Iterator[Name]:
    for found in (*FILE.findall(text), *_UNENDED.findall(text)):
        if "/" not in found:
            yield from _called(found, Kind.FILE)


def _called(name: str, kind: Kind) -> Iterator[Name]:
    """The name of a file, unless it is so common as to need its folder."""
    first = name.partition(".")[0].casefold()
    is_file = ("." in name and bool(file_names(name))) or _UNENDED.fullmatch(name) is not None
    if is_file and first not in _LIBRARIES and not (kind is Kind.ALONE and first in UNNAMED):
        yield Name(name, kind)


# -- of a prompt


def _written(text: str) -> str:
    return " ".join(text.split()).casefold()


def _around(text: str, at: int) -> str:
    """The path through a place of a text."""
    behind = _ON.match(text[max(0, at - LONGEST) : at][::-1])
    ahead = _ON.match(text, at)
    before, after = behind.group()[::-1] if behind else "", ahead.group() if ahead else ""
    return (before + after).lstrip("@").rstrip(".")  # a client's "@src/pay.py" is the file


def _is_inside(written: str, folders: Iterable[str]) -> bool:
    """Tell whether a path may be one of the project: it is relative, or lies there."""
    return written[0] != "/" or any(written.startswith(f"{one}/") for one in folders if one)


def _is_at(name: Name, written: str, folders: Collection[str]) -> bool:
    """Return whether a path of a prompt is the place of a name, or lies below it."""
    if "/" not in written:
        return False
    above = {one.rpartition("/")[0] for one in folders}  # "shop/src" of one who stands above shop
    places = {_place(written, one) for one in (*folders, *above)}
    if name.glob:
        return any(_fits(name.glob, place, folders) for place in places)
    targets = {_place(name.text, one) for one in folders}
    below = any(place.startswith(f"{target}/") for place in places for target in targets)
    return below or (not name.is_doubtful and not places.isdisjoint(targets))


@lru_cache(maxsize=1_024)  # many memories may name the folder that a prompt is about
def _place(written: str, folder: str) -> str:
    written, home = written.lstrip("@"), _HOME.match(f"{folder}/")
    if written.startswith("~/") and home is not None:
        written = home.group() + written[1:]
    return below(folder, written).casefold()


def _fits(glob: str, place: str, folders: Iterable[str]) -> bool:
    inside = (place.removeprefix(f"{one.casefold()}/") for one in folders)
    try:
        return any(
            glob_matches(f"/{glob.removeprefix('./').casefold()}", f"/{one}")
            for one in inside
            if one != place or not one.startswith("/")
        )
    except BadPattern:
        return False


# ---- commands about to be run, and the cues of notes at the beginning of one
#
# Commands to build, test, lint or only read are run all day: a cue speaks of one only when it names
# the very use. So does the bare name of a program run all day for everything.


LINE: Final = 2 * 1024  # characters of a command line that are read
# More than any real line has: 400 times "env" in one cost .75 s of the loop beside 70 cues of it.
MOST_COMMANDS: Final = 64  # commands of a line
WORDS: Final = 32  # words of a command
RUNNERS: Final = 8  # programs around it that run another
# What says how something is done, or what goes wrong there; what was built or fixed is history.
_RULES: Final = frozenset({"convention", "preference", "decision", "discovery"})
_CHOICE: Final = "answer"  # rule of an option that was chosen: its names are mostly examples
_MADE: Final = pattern(r"\$\(([^()]*)\)|`([^`]*)`")  # a command whose output is a word
_SHELLS: Final = frozenset("sh bash dash zsh ksh ash fish".split())
_SETTING: Final = pattern(r"[-+][a-z]*o\Z", re.IGNORECASE)  # options of a shell with a word more
_NO_FILE: Final = pattern(r"\A-[a-z]*[cns]")  # options with which a shell runs no file
# Options between a program and its command that take a word of their own.
_VALUED: Final = {
    "docker": ("--context", "-H"),
    "gh": ("-R", "--repo"),
    "git": ("-C", "-c"),
    "kubectl": ("-n", "--namespace", "--context"),
    "make": ("-C", "-f"),
    "npm": ("--prefix",),
}


# Bare, these say nothing of a call: a note with the cue `git` was all noise before commands (docs/adr/0021).
_ALL_DAY: Final = word_list(__name__, "all_day")


class Command(Struct, frozen=True):
    """A simple command of a line: its words as the shell sees them, from its program on."""

    words: tuple[str, ...]
    least: int  # words that a cue must have to speak of it

    @property
    def spellings(self) -> tuple[str, str]:
        """The command as it is written, and with its options before its operands."""
        options = [word for word in self.words if word.startswith("-")]
        bare = [word for word in self.words if not word.startswith("-")]
        return " ".join(self.words), " ".join([*bare[:2], *options, *bare[2:]])


def commands(line: str) -> tuple[Command, ...]:
    """Return the commands of a line, each also without its runner (``env``, ``sudo``, ``uv run``).

    A command run inside a word for its output counts as well.
    """
    simple = [one.words for pipeline in pipelines(line[:LINE]) for one in pipeline]
    inside = (
        "".join(made)
        for words in simple
        for word in words
        for made in _MADE.findall(expanded(word))
    )
    simple += [one.words for text in inside for pipeline in pipelines(text) for one in pipeline]
    run = (command for words in simple[:MOST_COMMANDS] for command in _run_by(words[:WORDS]))
    return tuple(islice(run, MOST_COMMANDS))


def _run_by(written: list[str]) -> list[Command]:
    """Return a command as each of its words may begin it, from the inner program outwards."""
    words = [plain(word) for word in written]
    runners = max(0, len(words) - len(unwrapped(written)))
    script = _script(words[runners:])
    purpose_within = purpose(_named(words[runners:]))
    found = [Command(script, max(1, purpose(script)))] if script else []
    for at in range(min(runners, len(words) - 1, RUNNERS), -1, -1):
        if ASSIGNMENT.match(words[at]) is None:
            named = _named(words[at:])
            least = purpose(named) or (purpose_within and purpose_within + runners - at)
            names_use = any(not word.startswith("-") for word in named[1:])
            own = 2 if names_use and named[0] in _ALL_DAY else 1
            found.append(Command(named, max(own, least)))
    return found


def _script(words: list[str]) -> tuple[str, ...]:
    """Return the command a shell runs out of a file; nothing where it runs none."""
    if not words or program_of(words[0]) not in _SHELLS:
        return ()
    rest = words[1:]
    while rest and rest[0][:1] in ("-", "+"):
        if _NO_FILE.match(rest[0]):
            return ()
        rest = rest[2 if _SETTING.match(rest[0]) else 1 :]
    return _named(rest)


def _named(words: list[str]) -> tuple[str, ...]:
    """Return the words of a command by its program's bare name, without options before its first word."""
    if not words:
        return ()
    program, rest = program_of(words[0]), words[1:]
    valued = _VALUED.get(program, ())
    while valued and rest and rest[0].startswith("-") and rest[0] not in ASKED:
        rest = rest[2 if rest[0] in valued else 1 :]
    return (program, *rest)


def begun(cue: str, run: Sequence[Command]) -> int:
    """Return how many words of a cue begin one of these commands; 0 when it begins none.

    An option of the cue may stand anywhere in the command.
    """
    named = _cue(cue)
    return len(named) if named and any(_begins(named, one) for one in run) else 0


@lru_cache(maxsize=1024)  # every call is compared with each cue of its project
def _cue(cue: str) -> tuple[str, ...]:
    return _named([plain(word) for word in cue.split() if ASSIGNMENT.match(word) is None])


def _begins(cue: tuple[str, ...], command: Command) -> bool:
    if cue[0] != command.words[0] or len(cue) < command.least:
        return False
    bare = [word for word in cue if not word.startswith("-")]
    there = [word for word in command.words if not word.startswith("-")]
    options = {word for word in cue if word.startswith("-")}
    given = {word.partition("=")[0] for word in command.words}
    return there[: len(bare)] == bare and options <= given


def is_rule(kind: str, status: str, rule: str) -> bool:
    """Return whether a memory is a rule or a trap sure enough to be told before a call."""
    return says_how(kind) and status == "confirmed" and rule != _CHOICE


def says_how(kind: str) -> bool:
    """Return whether a memory of a kind tells a way of doing something, or a trap."""
    return kind in _RULES
