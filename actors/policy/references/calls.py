"""Commands about to be run, and the cues of notes at the beginning of one.

Commands to build, test, lint or only read are run all day: a cue speaks of one only when it names
the very use. So does the bare name of a program run all day for everything.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from actors.policy.events.command_lines import (
    ASSIGNMENT,
    expanded,
    pipelines,
    plain,
    program_of,
    unwrapped,
)
from actors.policy.events.commands import ASKED, purpose
from actors.policy.patterns import pattern

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
_ALL_DAY: Final = frozenset(
    "bun cargo docker git go make mise node npm npx pip pip3 pnpm python python3 uv yarn".split()
)


@dataclass(frozen=True, slots=True)
class Command:
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
    inner = unwrapped(written)
    runners = max(0, len(words) - len(inner))
    script = _script(words[runners:])
    purpose_within = purpose(_named(words[runners:]))
    found = [Command(script, max(1, purpose(script)))] if script else []
    for at in range(min(runners, len(words) - 1, RUNNERS), -1, -1):
        if ASSIGNMENT.match(words[at]) is None:
            named = _named(words[at:])
            least = purpose(named) or (purpose_within and purpose_within + runners - at)
            found.append(Command(named, max(_least(named), least)))
    return found


def _least(named: tuple[str, ...]) -> int:
    """Return how many words a cue of a command has at least."""
    is_alone = all(word.startswith("-") for word in named[1:])
    return 1 if is_alone or named[0] not in _ALL_DAY else 2


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
