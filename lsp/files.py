"""The page about a file, as a command and for who asks for its address."""

from collections.abc import Callable

from daemon.api.about import About
from lsp.about import file_address, file_page
from lsp.commands import Commands, parsed
from lsp.commands import MemoryPlace as Which
from lsp.session import TIED, Session


class Files:
    """Pages about the files of one session."""

    def __init__(self, session: Session, commands: Commands, now: Callable[[], float]) -> None:
        """``now`` is the time in seconds since the epoch."""
        self._session = session
        self._commands = commands
        self._now = now

    async def show(self, argument: object) -> str | None:
        """Show memories about a file: the named one, else the one looked at last."""
        path = self._session.file(parsed(argument, Which).uri)
        if path is None:
            return None
        text = await self.page(path)
        await self._commands.show(file_address(path), text)
        return text

    async def page(self, path: str) -> str:
        """The page; empty where the daemon does not answer."""
        bearing = await self._commands.ask(About(path=path, k=TIED, sure=True))
        if bearing is None:
            return ""
        uri, tied = self._session.tied(path, bearing.found.results)
        links = self._session.settings.links
        return file_page(path, uri, tied, bearing, self._now(), links=links)
