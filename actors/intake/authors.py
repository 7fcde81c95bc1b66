"""Authors of remembered commits: git is asked, as its report of a commit names none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import trio

from actors.policy.events.cutting import Redact
from actors.policy.statements.extraction import is_injected
from actors.policy.statements.statement_rules import Candidate
from actors.policy.text.wording import one_line
from actors.staleness.rows import Commit
from daemon.sources import ProjectSources

NAME: Final = 60  # characters of one
NEWEST: Final = 20  # commits of a checkout, of which one may be the one just made
SHORT: Final = 7  # digits of a hash that git did not say itself
WITHIN: Final = 3.0  # seconds for git's answer


@dataclass(frozen=True, slots=True)
class Authors:
    """Asks the repository of a session who made its commits."""

    sources: ProjectSources
    redact: Redact

    async def with_authors(
        self, candidates: tuple[Candidate, ...], directory: str, project: str | None
    ) -> tuple[Candidate, ...]:
        """Add to candidates of a commit which it is, and who made it, where git says so in time."""
        if project is None or not any(one.rule == "commit" for one in candidates):
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
    """Add to each candidate of one of these commits which it is, and who made it."""
    return tuple(_signed(one, commits, redact) for one in candidates)


def _signed(one: Candidate, commits: Sequence[Commit], redact: Redact) -> Candidate:
    made = next((each for each in commits if _is_of(one, each)), None)
    if made is None:
        return one
    return replace(one, commit=one.commit or made.id[:SHORT], author=_name(made.author, redact))


def _is_of(one: Candidate, made: Commit) -> bool:
    """Tell whether it is of this commit: by its hash, or by its subject where git said none (`-q`)."""
    if one.commit:
        return made.id.startswith(one.commit)
    return one.rule == "commit" and one.text.startswith(f"{made.subject.rstrip('.')}.")


def _name(author: str, redact: Redact) -> str:
    """The name on one line; empty for an address, a secret, or an order to an agent."""
    name, secrets = redact(one_line(author, NAME))
    return "" if secrets or is_injected(name) else name
