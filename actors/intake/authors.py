"""Authors of the commits that memories are of: git is asked, as its report of a commit names none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import trio

from actors.policy.events.cutting import Redact
from actors.policy.statements.candidates import Candidate
from actors.policy.statements.extraction import is_injected
from actors.policy.text.wording import one_line
from actors.staleness.rows import Commit, Sources

NAME: Final = 60  # characters of one
NEWEST: Final = 20  # commits of a checkout, of which one may be the one just made
WITHIN: Final = 3.0  # seconds for git's answer


@dataclass(frozen=True, slots=True)
class Authors:
    """Asks the repository of a session who made its commits."""

    sources: Sources
    redact: Redact

    async def told(
        self, candidates: tuple[Candidate, ...], directory: str, project: str | None
    ) -> tuple[Candidate, ...]:
        """Add to candidates of a commit who made it, where git says so in time."""
        if project is None or not any(one.commit for one in candidates):
            return candidates
        with trio.move_on_after(WITHIN):
            root = await self.sources.checkout(project, directory)
            found = await self.sources.visit(
                root, lambda folder: signed(candidates, folder.commits(NEWEST), self.redact)
            )
            return found or candidates
        return candidates


def signed(
    candidates: Sequence[Candidate], commits: Sequence[Commit], redact: Redact
) -> tuple[Candidate, ...]:
    """Add to each candidate of one of these commits who made it."""

    def author(commit: str) -> str:
        made = (one for one in commits if commit and one.id.startswith(commit))
        return next((_name(one.author, redact) for one in made), "")

    return tuple(replace(one, author=author(one.commit)) for one in candidates)


def _name(author: str, redact: Redact) -> str:
    """The name on one line; empty for an address, a secret, or an order to an agent."""
    name, secrets = redact(one_line(author, NAME))
    return "" if secrets or is_injected(name) else name
