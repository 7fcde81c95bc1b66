"""Files that a session touches: edited by a shell's command (``sed -i``, a here-document, a patch), opened or named.

Files named only inside a script or a variable are not guessed; a scratch file outside the project is no edit of it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from actors.policy.events.agents import PATCHED
from actors.policy.events.command_lines import Command, pipelines, plain, program_of, unwrapped
from actors.policy.events.events import Event, EventKind
from actors.policy.patterns import pattern

FILES: Final = 16  # of one command line

# What writes words, or another file's, where it is redirected to; what a test run prints is no edit.
_WRITERS: Final = frozenset({"cat", "echo", "printf", "sed", "awk", "jq", "tr", "envsubst"})
# What leaves a text as it is: where it goes, and that it goes.
_COPIERS: Final = frozenset({"cp", "install", "ln"})
_MOVERS: Final = frozenset({"mv", "rm", "rmdir", "shred", "touch", "truncate", "unlink"})
_SED_IN_PLACE: Final = pattern(r"-[nErsuz]*i|--in-place\b")
_SED_SCRIPT: Final = pattern(r"-[nErsuz]*[ef]\Z|--(?:expression|file)\Z")
_PERL_IN_PLACE: Final = pattern(r"-[pnlasw0-9]*i")
_PERL_SCRIPT: Final = pattern(r"-[pnlasw0-9i]*[eE]\Z")
_SUFFIX: Final = pattern(r"\.\w{1,8}\Z")  # of the copy that `sed -i .bak` keeps
_SCRATCH: Final = pattern(r"\A(?:(?:/tmp|/var/tmp|/private/tmp)/|.*\.(?:log|out|bak)\Z)", re.DOTALL)
_UNKNOWN: Final = pattern(r"[$`{}<>\0\n]|\A(?:~|/dev/.*|\s*)\Z")
_PATCHED: Final = pattern(
    r"^(?:\+\+\+ (?:b/)?|\*\*\* (?:Add|Update|Delete) File: )(?!/dev/null)(\S+)", re.MULTILINE
)


def shell_edits(line: str, folder: str = "", before: str = "") -> tuple[str, ...]:
    """The files edited by a command line, in order, each once.

    ``folder``: where it ran; with ``before``, only the part before the command of this name counts.
    """
    found: dict[str, None] = {}
    moved: set[str] = set()  # written by the line, and perhaps moved to where it belongs
    home, source = folder, ""
    for command, program, arguments, here in _run(line, folder):
        folder = here
        if before and before in map(plain, command.words):
            break
        edits = [*(command.written if program in _WRITERS else ())]
        # What a test run prints into a file by `tee` is no edit.
        if program != "tee" or command.document or source in _WRITERS:
            edits += _edited(program, arguments, command.document)
        source = program
        if program == "mv" and len(arguments) == 2 and below(folder, arguments[0]) in moved:
            found.pop(below(folder, arguments[0]), None)
            edits.append(arguments[1])
        for edit in edits:
            path = "" if _UNKNOWN.search(edit) else below(folder, edit)
            moved.add(path)
            if path and len(found) < FILES and not _is_scratch(path, home):
                found[path] = None
    return tuple(found)


def shell_writes(line: str, folder: str = "") -> tuple[str, ...]:
    """The files edited, made, moved or removed by a command line, in order, each once."""
    found: dict[str, None] = {}
    for command, program, arguments, here in _run(line, folder):
        touched = [*command.written, *_edited(program, arguments, command.document)]
        if program == "git" and arguments[:1] in (["mv"], ["rm"]):
            program, *arguments = arguments
        if program in _COPIERS:
            touched += _plain(arguments)[-1:]
        elif program in _MOVERS:
            touched += _plain(arguments)
        found |= dict.fromkeys(below(here, one) for one in touched if not _UNKNOWN.search(one))
    return tuple(islice(found, FILES))


def _run(line: str, folder: str) -> Iterator[tuple[Command, str, list[str], str]]:
    """The commands of a line, each with its program, its arguments and the folder it is run in."""
    for command in chain.from_iterable(pipelines(line)):
        program, arguments = _called(command.words)
        if program == "cd" and arguments and not _UNKNOWN.search(arguments[0]):
            folder = below(folder, arguments[0])
        yield command, program, arguments, folder


def is_edit(segment: str) -> bool:
    """Tell whether a simple command only edits files: ``perl -pi``, ``patch``, ``git apply``"""
    program, arguments = _called(segment.split())
    if program == "git":
        order = arguments[0] if arguments else ""
        return order in ("apply", "restore") or (order == "checkout" and "--" in arguments)
    in_place = program in ("perl", "ruby") and any(map(_PERL_IN_PLACE.match, arguments))
    return in_place or program in ("patch", "apply_patch")


def _edited(program: str, arguments: Sequence[str], document: str) -> Iterator[str]:
    match program:
        case "sed" if any(map(_SED_IN_PLACE.match, arguments)):
            yield from _after_script(arguments, _SED_SCRIPT)
        case "perl" | "ruby" if any(map(_PERL_IN_PLACE.match, arguments)):
            yield from _after_script(arguments, _PERL_SCRIPT)
        case "tee":
            yield from _plain(arguments)
        case "patch" | "apply_patch":
            shown = "\n".join((document, *arguments))
            yield from _PATCHED.findall(shown) or _plain(arguments)[:1]
        case "git" if arguments[:1] == ["apply"]:
            yield from _PATCHED.findall(document)
        case _:
            return


def _after_script(arguments: Sequence[str], script: re.Pattern[str]) -> list[str]:
    """The files of ``sed`` or ``perl``: arguments other than options and the script."""
    given = False
    skipped = False
    names: list[str] = []
    for argument in arguments:
        if skipped:
            skipped = False
        elif script.match(argument):
            given = skipped = True
        elif argument.startswith(("--expression=", "--file=")):
            given = True
        elif argument and not argument.startswith("-"):
            names.append(argument)
    if not given and names and _SUFFIX.match(names[0]):
        names = names[1:]
    return names if given else names[1:]


def _plain(arguments: Sequence[str]) -> list[str]:
    return [argument for argument in arguments if not argument.startswith("-")]


def _called(words: Sequence[str]) -> tuple[str, list[str]]:
    """The name of the working program, and its arguments."""
    program, *arguments = unwrapped(list(words)) or [""]
    return program_of(program), [plain(word) for word in arguments]


def below(folder: str, name: str) -> str:
    """A path in a folder, without ``.`` and ``..``; an absolute one stays."""
    whole = name if name.startswith(("/", "~")) or not folder else f"{folder}/{name}"
    kept: list[str] = []
    for part in whole.split("/"):
        if part == ".." and kept and kept[-1] not in ("", ".."):
            kept.pop()
        elif part != "." and (part or not kept):
            kept.append(part)
    return "/".join(kept)


def _is_scratch(path: str, home: str) -> bool:
    at_home = bool(home) and path.startswith(f"{home.rstrip('/')}/")
    return bool(_SCRATCH.match(path[len(home) :] if at_home else path))


# ---- the commit of an event


_COMMITTED: Final = pattern(r"^\[[^\]\n]{0,200} ([0-9a-f]{7,40})\] ", re.MULTILINE)
_LOGGED: Final = pattern(r"^([0-9a-f]{7,40}) (\S.{3,200})$", re.MULTILINE)


def commit_of(event: Event) -> str:
    """The hash of the commit made in an event, as git reports it, or before the same subject in a log; else empty."""
    tool = event.tool
    if tool is None:
        return ""
    reported = _COMMITTED.search(tool.output)
    if reported:
        return reported[1]
    logged = _LOGGED.findall(tool.output)
    return next((one for one, subject in logged if subject in tool.command), "")


# ---- files opened or named


MOST: Final = 20  # files of one event

_NAMED: Final = pattern(
    r"(?<![\w:/.@-])(?:~|\.{1,2})?(?:/?[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}(?![\w/])"
)


def files_touched(event: Event) -> tuple[str, ...]:
    """Paths of the files opened or edited by a tool, or named in a prompt."""
    if event.kind is EventKind.PROMPT:
        return files_named(event.prompt)
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL:
        return ()
    patch = tool.input.get("patch") or tool.input.get("input")
    patched = PATCHED.findall(patch) if isinstance(patch, str) else []
    return tuple(path for path in (tool.path, *patched) if path)[:MOST]


def files_named(text: str) -> tuple[str, ...]:
    """Strings with the look of a file's path in a person's text."""
    return tuple(dict.fromkeys(_NAMED.findall(text)))[:MOST]
