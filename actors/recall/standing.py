"""What holds for all work of a project: what is constitutional, and what a person wants and asks for."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final

import trio

from actors.memory.ports import Reader, Unreadable
from actors.memory.rows import Memory, Scope
from actors.policy.dreams.demands import says
from actors.policy.dreams.repetition import demanded_in
from actors.policy.statements.sources import DEMANDED
from actors.policy.statements.summaries import SUMMARY
from actors.policy.statements.ways_of_working import is_for_every_session
from actors.recall.candidates import MOST, SOURCES, Noted
from actors.recall.ordering import true_now

STANDING: Final = 20  # constitutional memories
DEMANDS: Final = 3  # of a person in several sessions
WISHES: Final = 8  # of a person, beside them
RULES: Final = 40  # wishes and conventions that are looked at for them
WISH: Final = "wish"  # the rule of what is said in passing
AS_IT_IS: Final = frozenset(
    {SUMMARY, "hand", "editor"}
)  # sources of rules that no words are asked of


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person wants; where a reader wrote notes these say it, beside the demands."""

    wishes: Sequence[Memory] = ()
    demands: Sequence[Memory] = ()  # the words of a person alone
    rules: Sequence[Memory] = ()  # the wishes, whether a reader wrote notes or not
    noted: Noted | None = None


async def constitutional(reader: Reader, project: str | None, now: float) -> list[Memory]:
    """What is constitutional now."""
    return true_now(await reader.constitutional(Scope(project), STANDING), now)


async def wanted(reader: Reader, project: str | None, now: float) -> Wanted:
    """What a person wants, and the notes of a project that a reader reads."""
    scope = Scope(project)
    rules = true_now(await reader.standing(scope, RULES), now)
    wishes = [one for one in rules if _is_told(one)][:WISHES]
    demands = map(_demand, await reader.demands(scope, DEMANDS))
    new = [one for one in demands if not any(says(each.text, one.text) for each in wishes)]
    marks = await reader.marks(project, MOST)
    if not marks:
        return Wanted(wishes, new, wishes)
    memories = await reader.of_sources(scope, SOURCES, MOST)
    standing = {one.id for one in (*wishes, *new)}
    noted = Noted([*new, *true_now(memories, now)], marks, standing=standing)
    return Wanted(rules=wishes, noted=noted)


@contextmanager
def in_time(seconds: float) -> Generator[None]:
    """Leave what is in it when it is late or the store cannot be read."""
    with trio.move_on_after(max(0.0, seconds)), suppress(Unreadable, trio.TooSlowError):
        yield


def _is_told(rule: Memory) -> bool:
    """Return whether any session is told it: kept on purpose, said in general, or set right."""
    if rule.source in AS_IT_IS:
        return True
    return is_for_every_session(rule.text, wish=rule.source == WISH)


def _demand(insight: Memory) -> Memory:
    """The words of the person that an insight quotes, as theirs."""
    return replace(insight, text=demanded_in(insight.text), source=DEMANDED)
