"""Transcripts of what a person types and reads: each file of ``transcripts/`` is one sitting before a real daemon.

A line ``$ reverie …`` is a command, lines that begin with ``< `` are its standard input, what follows is
what it prints: standard output as it is, standard error behind ``! ``, an exit code other than 0 as ``[1]``.
``$ hook AGENT`` is an agent that reports an event, ``$ cd`` leads elsewhere, ``$ settled`` waits until every
event is worked through; other commands, such as ``git`` and ``cat >FILE``, are the shell's. FOLDER stands for
the folder in which all of it is typed, in what is given as well.
Other lines before the first command say what the sitting is about. ``WRITE_TRANSCRIPTS=1`` writes what is
printed now into the files; read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct, field

from tests.cli.conftest import Program, document
from tests.patience import PATIENCE

HOOK: Final = Path(__file__).resolve().parents[2] / "hooks" / "hook.py"
FOLDER: Final = Path(__file__).with_name("transcripts")
SITTINGS: Final = sorted(FOLDER.glob("*.txt"))
WRITING: Final = bool(os.environ.get("WRITE_TRANSCRIPTS"))


def in_order(parts: re.Match[str]) -> str:
    """The parts of a list, by their first letters."""
    return ", ".join(sorted(parts[0].split(", ")))


def at_times(line: re.Match[str]) -> str:
    """The line with a word in place of each time of day, or of a date beside it."""
    return re.sub(r"\bDATE\b|\b\d\d:\d\d\b", "TIME", line[0])


# What differs from run to run.
VARIABLE: Final = (
    (re.compile(r"\b20\d\d-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?)?"), "DATE"),
    (re.compile(r"\b1[789]\d{8}\.\d+"), "SECONDS"),
    (re.compile(r"\b\d+(\.\d+)? ?ms\b"), "# ms"),
    # Channels are told in the order in which they answered.
    (re.compile(r"(?:\w+(?: \d+ found in)? # ms(?:, |$))+", re.MULTILINE), in_order),
    (re.compile(r"(?<=\"seconds\":)\d+(\.\d+)?"), "#.#"),
    (re.compile(r"\b\d+\.\d{3,}\b"), "#.#"),
    (re.compile(r"((?:active|dormant|silent) \(|\"accessibility_value\":)\d\.\d+"), r"\1#.#"),
    (re.compile(r"\bin \d+\.\d s\b"), "in # s"),
    (re.compile(r"\(finished, \d+ s\)"), "(finished, # s)"),
    # A search takes the words up: in a sitting that comes to `stats` late they are there.
    (re.compile(r"(?:no words: FTS5 answers|words \d+ k?B \(.*?\)), vectors"), "words, vectors"),
    (re.compile(r"\b\d+(\.\d+)? (B|kB|MB)(?=,|$|  )", re.MULTILINE), "SIZE"),
    (re.compile(r"(?<=\"size\":)\d+"), "#"),
    (re.compile(r"\brecording is off.*"), at_times),
    (re.compile(r"\bat \d\d:\d\d:\d\d\b"), "at TIME"),
    (re.compile(r"\bjust now\b|\b\d+ (second|minute|hour|day|week|month|year)s? ago\b"), "AGO"),
    (re.compile(r"(\"pid\":|process )\d+"), r"\1PID"),
    (re.compile(r"\b20\d{6}T\d{6}Z"), "STAMP"),
    # The size of a request is that of its instructions.
    (re.compile(r"\b\d{1,3}(,\d{3})+(?= tokens| of \d{3},000 tokens)"), "N"),
    (re.compile(r"(?<=-)[0-9a-f]{12}(?=\.md\b)|(?<=^    id: )[0-9a-f]{12}$", re.MULTILINE), "NOTE"),
    (re.compile(r"\blearn-[0-9a-f]{6,}\b"), "learn-RUN"),
)
AUTHOR: Final = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "a@b.example"}
COMMITTER: Final = {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "a@b.example"}


class Step(Struct):
    """A command with its input, and the lines that it is to print."""

    line: str
    given: list[str] = field(default_factory=list[str])
    printed: list[str] = field(default_factory=list[str])


def sitting(text: str) -> tuple[list[str], list[Step]]:
    """Heading and steps of a transcript."""
    heading: list[str] = []
    steps: list[Step] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append(Step(line))
        elif not steps:
            heading.append(line)
        elif line.startswith("< "):
            steps[-1].given.append(line)
        else:
            steps[-1].printed.append(line)
    return heading, steps


def fixed(text: str, folder: Path) -> str:
    """The text with a word in place of what differs from run to run."""
    text = text.replace(os.environ["REVERIE_HOME"], "HOME").replace(str(folder), "FOLDER")
    for pattern, word in VARIABLE:
        text = pattern.sub(word, text)
    return text


def printed(command: Program, step: Step, folder: Path) -> list[str]:
    """Lines that a command prints now, in the form of a transcript."""
    line = step.line.removeprefix("$ ").replace("FOLDER", str(folder))
    given = "".join(f"{one.removeprefix('< ')}\n" for one in step.given)
    given = given.replace("FOLDER", str(folder))
    if line == "settled":
        settle(command)
        return []
    program, *words = shlex.split(line)
    if program == "cd":
        os.chdir(words[0])
        return []
    if program == "hook":
        line = shlex.join([sys.executable, "-I", "-S", str(HOOK), *words])
    done = command(*words, stdin=given) if program == "reverie" else shell(line, given)
    lines = fixed(done.stdout, folder).splitlines()
    lines += [f"! {line}" for line in fixed(done.stderr, folder).splitlines()]
    return [*lines, f"[{done.returncode}]"] if done.returncode else lines


def shell(line: str, given: str) -> subprocess.CompletedProcess[str]:
    """Run a command that is not ours, as somebody who has a name."""
    return subprocess.run(
        ["/bin/sh", "-c", line], input=given, env={**os.environ, **AUTHOR, **COMMITTER},
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


def settle(command: Program) -> None:
    """Wait until nothing is spooled, and every event is worked through."""
    while (status := document(command("status", "--json")))["undone"] or status["spooled"]:
        time.sleep(0.02)


@pytest.mark.parametrize("file", SITTINGS, ids=[file.stem for file in SITTINGS])
def test_what_is_typed_prints_what_was_read_before(
    command: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder / ".claude"))
    heading, steps = sitting(file.read_text(encoding="utf-8"))
    now = [(step, printed(command, step, folder)) for step in steps]

    if WRITING:
        lines = [*heading, *(line for step, out in now for line in (step.line, *step.given, *out))]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for step, lines in now:
        assert lines == step.printed, step.line
