"""Surroundings of a session: the words of all its events, and its project's files and orders.

Read on the thread of the sources: a session may have megabytes of words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from actors.policy.events.events import Event, listing, mapping
from actors.policy.reader.digest import Heard
from actors.policy.reader.exchange import NOTES
from actors.policy.reader.notes import CUES, Cues, Surroundings
from actors.policy.references.naming import relative
from actors.policy.references.references import Reference, symbol_reference
from actors.policy.session.ledger import sayings
from daemon.sources import DiskFolder, ProjectSources

MOST: Final = 8_000_000  # characters of what a session said
LOADED: Final = 16  # files of instructions
# What a client loads at the start without saying so.
INSTRUCTIONS: Final = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md")


async def around_session(
    sources: ProjectSources,
    document: Mapping[str, object],
    heard: Sequence[Heard],
    project: str | None,
) -> Surroundings:
    """Return the material to check an answer against, beside the digest."""
    events = [one.event for one in heard]
    if project is None:
        return Surroundings(session_words(events))

    def look(folder: DiskFolder) -> Surroundings:
        said = session_words(events)
        sought = (path for path in files_of(document) if path not in said)
        tree = (path for path in sought if _is_there(folder, relative(path, project)))
        return Surroundings(said, frozenset(tree))

    found = await sources.visit(project, look) or Surroundings(session_words(events))
    loaded = (event.instructions for event in events if event.instructions)
    usual = (f"{project}/{name}" for name in INSTRUCTIONS)
    paths = list(dict.fromkeys((*usual, *loaded)))[:LOADED]
    said = [await sources.read(path, sayings) for path in paths]
    return replace(found, instructions=[one for one in said if one])


async def anchors(sources: ProjectSources, cues: Cues, project: str) -> tuple[Reference, ...]:
    """Return the symbols among the cues defined in a file among them."""
    if not (cues.files and cues.symbols):
        return ()
    return await sources.visit(project, lambda folder: tuple(_defined(folder, cues, project))) or ()


def session_words(events: Iterable[Event]) -> str:
    """Words of the events, one after the other, up to eight million characters."""
    parts: list[str] = []
    size = 0
    for text in _said(events):
        parts.append(text)
        size += len(text) + 1
        if size > MOST:
            break
    return "\n".join(parts)


def files_of(document: Mapping[str, object]) -> list[str]:
    """The files named as cues in an answer's notes, whatever else is wrong with it."""
    notes = map(mapping, listing(document.get("notes"))[:NOTES])
    paths = (path for one in notes for path in listing(one.get("cue_files"))[: CUES["files"]])
    return [path for path in paths if isinstance(path, str)]


def _said(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        yield from filter(
            None,
            (event.prompt, event.message, event.summary, event.task, event.refusal,
             event.instructions),
        )  # fmt: skip
        if event.tool is not None:
            yield from filter(None, (event.tool.name, event.tool.error))
            yield from _leaves(event.tool.input)
            yield from _leaves(event.tool.response or event.tool.output)


def _leaves(value: object) -> Iterator[str]:
    """The texts in a JSON value; an agent's values were cut in depth when they came."""
    if isinstance(value, str):
        yield value
    for one in (*mapping(value).values(), *listing(value)):
        yield from _leaves(one)


def _is_there(folder: DiskFolder, path: str) -> bool:
    """Tell whether a project has a file, or files below a folder."""
    if not path:
        return False
    return folder.stamp(path) is not None or bool(folder.files(path, lambda _: True, most=64))


def _defined(folder: DiskFolder, cues: Cues, project: str) -> Iterator[Reference]:
    for path in (relative(one, project) for one in cues.files):
        text = folder.read(path) if path else None
        for symbol in cues.symbols if text else ():
            found = symbol_reference(path, text or "", symbol)
            if found is not None:
                yield replace(found, given=True)
