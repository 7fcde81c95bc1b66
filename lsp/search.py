"""Search: memories by what they say, and before the first word what bears on the open file.

What does not fit is not shown: the daemon ranks everything it has, and the last of it is always
something.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from lsprotocol import types

from daemon.requests.about import About
from daemon.requests.memories import List, MemoryView
from daemon.requests.recall import Recall, Recalled, Scored
from lsp.commands import parsed
from lsp.connection import Away
from lsp.pages import MOST, found_at, symbols
from lsp.session import Session

WITHIN = 2.0  # seconds a search may take
SHORTEST = 2  # characters: below, every memory would do
PREFIX = "mem:"  # of a query for symbols that means memories
# Of 11 questions that 60 memories answer the least sure was .32 (words that only begin one aside), of
# 6 that are nonsense the surest .14.
SURE = 0.2
NEAR = 0.5  # part of the best score that another result has, too


class Words(msgspec.Struct, frozen=True):
    """Words that are searched for."""

    query: str = ""


class Search:
    """The searches of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def symbols(self, query: str, root: str | None) -> list[types.WorkspaceSymbol]:
        """Memories among the symbols of a project; none unless it is memories that are meant.

        ``root`` is the project's folder, for an editor that shows no file.
        """
        match self._session.settings.symbols:
            case "off":
                return []
            case "prefix":
                if not query.startswith(PREFIX):
                    return []
                # An editor keeps those whose name has the letters that were typed.
                found = await self._found(query.removeprefix(PREFIX), root)
                return symbols(found, f"{PREFIX} ")
            case "all":
                return symbols(await self._found(query, root))

    async def find(self, argument: object) -> list[dict[str, Any]] | None:
        """Memories about words; without a word those about the file looked at last, else the newest.

        ``None`` while the daemon is away: that nothing was found would not be true.
        """
        query = parsed(argument, Words).query
        if isinstance(self._session.connection.presence, Away):
            return None
        found: Sequence[Scored | MemoryView] = await self._found(query, None)
        if not found and not query.strip():
            project = self._session.folder()
            listed = await self._session.ask(List(project=project, limit=MOST), within=WITHIN)
            found = listed.memories if listed is not None else []
        return [found_at(one) for one in found[:MOST]]

    async def _found(self, query: str, root: str | None) -> list[Scored]:
        query = query.strip()
        if not query:
            return await self._bearing()
        if len(query) < SHORTEST:
            return []
        recalled = await self._session.ask(
            Recall(query=query, k=MOST, project=self._session.folder() or root, track=False),
            within=WITHIN,
        )
        return fitting(query, recalled) if recalled is not None else []

    async def _bearing(self) -> list[Scored]:
        path = self._session.file()
        if path is None:
            return []
        bearing = await self._session.ask(About(path=path, k=MOST), within=WITHIN)
        return bearing.found.results if bearing is not None else []


def fitting(query: str, recalled: Recalled) -> list[Scored]:
    """The results that answer the query: those that hold its words, and those near a sure best one."""
    words = query.casefold().split()
    best = max((one.score for one in recalled.results), default=0.0)
    least = NEAR * best if recalled.confidence >= SURE else float("inf")
    return [one for one in recalled.results if one.score >= least or _holds(one, words)]


def _holds(one: Scored, words: Iterable[str]) -> bool:
    text = f"{one.title}\n{one.text}".casefold()
    return all(word in text for word in words)
