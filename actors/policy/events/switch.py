"""The switch: places, times and sessions a person keeps out of the memory, and the ways to say so.

*Recording* is off in and below every folder with a file named ``.nomemory``, in a *private* folder, named by a
pattern of the settings, and in a *pause*: an event of a session at work there, or of a tool with a path there, is
neither kept nor answered. A finished pause is still known, since its words may be read later, in a transcript or a
summary.

*Telling* is off in a session after a prompt of nothing but ``/memory off``, until one of ``/memory on``, and after
``.nomemory`` alone on a line of any prompt: events are kept as ever, and nothing is brought back. A client with slash
commands of its own never sends the first two, so a leading dot does the same.

Imports only `re` and runs on Python 3.8: the hook loads it by file path.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # the constant of typing, which the hook does not import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Union

    Json = Union[str, int, float, bool, None, list["Json"], dict[str, "Json"]]  # noqa: UP007

MARK = ".nomemory"
NO_READER = ".noreader"  # events here are recorded, and no model reads them
PAUSES = "pauses.json"  # in the data home
# Events that tell of what was before them. No set: a foreign event's name may be a list.
TELLING = ("PostCompact",)
TOLD_OF = 86_400.0  # seconds: up to how long before
READ = 20_000  # characters of a command line, of a patch, of a text that is no event
MOST = 400  # paths of one event
LONGEST = 4096  # characters of one
DEEPEST = 64  # names of a pattern: of a longer one the first count, which name a folder above

_SWITCH = re.compile(r"\A[/.]memory[ \t]+(?P<to>on|off)\Z", re.IGNORECASE)
_NO_MEMORY = re.compile(r"^[ \t]*\.nomemory[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)

_PLACE = re.compile(r"path|file|folder|dir|cwd", re.IGNORECASE)  # in the name of a tool's argument
_WORD = re.compile(
    r"(?:[^\s;&|<>()'\"`\\]|\\.|'[^']*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\\?\Z))+", re.DOTALL
)
_QUOTES = re.compile(r"['\"]|\\(.)", re.DOTALL)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (\S.*)$", re.MULTILINE)
_CWD = re.compile(r'"cwd"[ ]{0,4}:[ ]{0,4}"((?:[^"\\]|\\.){1,4096})"')
_HOME = re.compile(r"\A\$(?:HOME\b|\{HOME\})")


def switched(prompt: str) -> bool | None:
    """Return whether a prompt switches its session's notes off (True) or on (False); else None."""
    switch = _SWITCH.match(prompt.strip())
    if switch is not None:
        return switch["to"].lower() == "off"
    return True if _NO_MEMORY.search(prompt) else None


def places(event: Mapping[str, Json]) -> tuple[str, ...]:
    """Paths of an event: its session's folder, and the paths given to its tool.

    They are absolute, or begin with a tilde. A search reports the files found beside it.
    """
    folder = event.get("cwd")
    cwd = folder if isinstance(folder, str) else ""
    found = {cwd: None} if cwd else {}
    for path in _given(event):
        if len(found) >= MOST:
            break
        if len(path) <= LONGEST and "\n" not in path:  # else it is a file's text
            found[_joined(cwd, path)] = None
    return tuple(place for place in found if place[:1] in ("/", "~") and "\0" not in place)


def places_of_text(text: str) -> tuple[str, ...]:
    """Folders named as the session's in a text other than an event."""
    found: list[Json] = [*_CWD.findall(text[:READ])]
    return places({"tool_input": {"path": found}})


def off_at(
    where: Sequence[str],
    is_there: Callable[[str], bool],
    real: Callable[[str], str],
    mark: str = MARK,
) -> str:
    """Folder with the mark of a switch for one of these paths; "" when it is on.

    ``real`` follows the links of a path and knows where a tilde leads. A path is looked at as it is
    written and as it is.
    """
    looked: set[str] = set()
    for place in where:
        for path in _spellings(place, is_there, real):
            for folder in _upwards(path):
                if folder in looked:
                    break  # and so were those above it
                looked.add(folder)
                if is_there(f"{folder}/{mark}"):
                    return folder or "/"
    return ""


def _spellings(
    place: str, is_there: Callable[[str], bool], real: Callable[[str], str]
) -> tuple[str, ...]:
    """A path as it is written, and as it is."""
    written = place if place[:1] == "/" else real(place)
    return (written, real(written)) if is_there(written) else (written,)


class Pause:
    """A span of time, seconds UTC, in which nothing is recorded: of a session, in folders, anywhere."""

    def __init__(
        self, since: float, until: float | None, folders: Sequence[str] = (), session: str = ""
    ) -> None:
        self.since = since
        self.until = until  # None: until somebody ends it
        self.folders = folders  # none, and no session: everywhere
        self.session = session

    def holds(self, begin: float, end: float) -> bool:
        """Tell whether some of the time from ``begin`` to ``end`` lies in it."""
        return end >= self.since and (self.until is None or begin < self.until)

    def concerns(self, where: Sequence[str], session: str) -> bool:
        """Return whether it is meant for these paths and this session; an unknown one may be."""
        if self.session:
            return session in ("", self.session)
        return not (self.folders and where) or any(
            is_below(place, folder) for place in where for folder in self.folders
        )


class Off:
    """Cause of recording being off: a pause, else the folder of a mark or of a pattern."""

    def __init__(self, folder: str = "", pattern: str = "", pause: Pause | None = None) -> None:
        self.folder = folder
        self.pattern = pattern  # "": the folder holds the mark
        self.pause = pause


class Switches:
    """All switches of a person; ``is_there`` and ``real`` as in ``off_at``."""

    def __init__(
        self,
        is_there: Callable[[str], bool],
        real: Callable[[str], str],
        private: Sequence[str] = (),
        pauses: Sequence[Pause] = (),
        mark: str = MARK,
    ) -> None:
        self.is_there = is_there
        self.real = real
        self.private = private
        self.pauses = pauses
        self.mark = mark

    def off(self, where: Sequence[str], session: str, begin: float, end: float) -> Off | None:
        """Cause of recording being off at one of these paths, or in this session, in this time."""
        marked = off_at(where, self.is_there, self.real, self.mark)
        if marked:
            return Off(marked)
        held = [one for one in self.pauses if one.holds(begin, end)]
        if not (held or self.private):
            return None
        spelled = (_spellings(place, self.is_there, self.real) for place in where)
        places = tuple({path: None for paths in spelled for path in paths})
        for pause in held:
            if pause.concerns(places, session):
                return Off(pause=pause)
        for pattern in self.private:
            plain = self.real(pattern) if pattern[:1] == "~" else pattern
            for place in places:
                folder = matched(plain, place)
                if folder:
                    return Off(folder, pattern)
        return None


def pauses_of(found: Json) -> list[Pause]:
    """Pauses of their file; foreign content pauses everything."""
    pauses = [_pause_of(one) for one in found] if isinstance(found, list) else [None]
    known = [one for one in pauses if one is not None]
    return known if len(known) == len(pauses) else [Pause(0.0, None)]


def _pause_of(found: Json) -> Pause | None:
    if not isinstance(found, dict):
        return None
    since, until = found.get("since"), found.get("until")
    folders, session = found.get("folders"), found.get("session")
    if not (isinstance(folders, list) and isinstance(session, str)):
        return None
    if not (isinstance(since, float) and (until is None or isinstance(until, float))):
        return None
    named = [one for one in folders if isinstance(one, str)]
    return Pause(since, until, named, session) if len(named) == len(folders) else None


def is_below(path: str, folder: str) -> bool:
    """Tell whether a path is a folder or lies in it; both are absolute."""
    folder = folder.rstrip("/")
    return path == folder or path.startswith(folder + "/")


def matched(pattern: str, path: str) -> str:
    """Folder named by a pattern, the path itself or one above it; "" when none is.

    ``*`` stands for any part of one name. A pattern without a leading root may begin at any folder:
    ``diary`` names every folder of this name.
    """
    wanted = [name for name in pattern.split("/") if name not in ("", "**")][:DEEPEST]
    names = path.strip("/").split("/")
    starts: Iterable[int] = (0,) if pattern[:1] == "/" else range(len(names))
    for start in starts if wanted else ():
        end = start + len(wanted)
        if end <= len(names) and all(map(_is_named, wanted, names[start:end])):
            return "/" + "/".join(names[:end])
    return ""


def _is_named(wanted: str, name: str) -> bool:
    """Tell whether a name is this one, in which ``*`` stands for anything; linear in the name."""
    first, *rest = wanted.split("*")
    if not rest:
        return name == wanted
    last = rest.pop()
    if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
        return False
    at, end = len(first), len(name) - len(last)
    for part in rest:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _given(event: Mapping[str, Json]) -> Iterator[str]:
    """Every path given to a tool as a file or folder; then the paths in its answer.

    A client reports loaded instructions outside of any tool's input.
    """
    yield from _strings(event.get("file_path"))
    given = event.get("tool_input")
    if isinstance(given, dict):
        yield from _named(given)
        for key in ("patch", "input"):
            text = given.get(key)
            yield from _PATCHED.findall(text[:READ]) if isinstance(text, str) else ()
        yield from _words(given.get("command"))
    found = event.get("tool_response")
    if isinstance(found, dict):
        yield from _named(found)


def _named(values: Mapping[str, Json]) -> Iterator[str]:
    for key, value in values.items():
        if _PLACE.search(key):
            yield from _strings(value)


def _strings(value: Json) -> Iterator[str]:
    """A path, several of them, or a file's path in an object."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, str))
    elif isinstance(value, dict):
        yield from (
            one for key, one in value.items() if isinstance(one, str) and _PLACE.search(key)
        )


def _words(command: Json) -> Iterator[str]:
    """Words of a command line, each a possible path; values of options as well."""
    lines = command if isinstance(command, list) else [command]
    for line in lines:
        for word in _WORD.findall(line[:READ]) if isinstance(line, str) else ():
            plain = _QUOTES.sub(r"\1", word)
            yield plain
            _, equals, value = plain.partition("=")
            if equals:
                yield value


def _joined(folder: str, path: str) -> str:
    """The path from a folder on, without steps back; home is written as a tilde."""
    path = _HOME.sub("~", path)
    if path[:1] == "~":
        return path
    steps: list[str] = []
    for step in f"{'' if path[:1] == '/' else folder}/{path}".split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in ("", "."):
            steps.append(step)
    return "/" + "/".join(steps) if path[:1] == "/" or folder else path


def _upwards(path: str) -> Iterator[str]:
    """A path and every folder above it; the root is empty."""
    path = path.rstrip("/")
    while path:
        yield path
        path = path.rpartition("/")[0]
    yield ""
