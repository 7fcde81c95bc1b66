"""Notes for all work of a project: constitutional memories, and a person's wishes and demands."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final

import trio

from actors.core.failures import Unreadable
from actors.memory.rows import Memory, Scope
from actors.policy.night.demands import demanded_in, says
from actors.policy.passages import telling
from actors.policy.recall import page
from actors.policy.recall.listing import UNOPENED
from actors.policy.recall.page import Part, Room
from actors.policy.statements.sources import DEMANDED, READ, READER
from actors.policy.statements.statement_rules import is_for_every_session
from actors.policy.statements.summaries import SUMMARY
from actors.policy.statements.trust import ON_PURPOSE, STATED
from actors.policy.text.words import stems
from actors.recall.ordering import Settings, true_now
from actors.recall.page_notes import MOST, SOURCES, UNJUDGED, Noted, is_left_out
from daemon.storage.reader import ReadingSide

STANDING: Final = 20  # constitutional memories
DEMANDS: Final = 3  # of a person in several sessions
WISHES: Final = 8  # of a person, beside them
RULES: Final = 40  # wishes and conventions that are looked at for them
WISH: Final = "wish"  # the rule of what is said in passing
MADE: Final = STATED - ON_PURPOSE - READ  # sources: rules of what is typed
OWN: Final = 3  # memories, beside rules, that were decided in a session itself
LISTED_FOR: Final = 30 * 86_400.0  # seconds: what starts were told is kept no longer
SHARE: Final = 0.5  # of the time of an answer, for all but what is constitutional
AS_IT_IS: Final = frozenset(
    {SUMMARY, "hand", "editor"}
)  # sources of rules that no words are asked of


@dataclass(frozen=True, slots=True)
class Wanted:
    """Wishes of a person; where a reader wrote notes these hold them, beside the demands."""

    wishes: Sequence[Memory] = ()
    demands: Sequence[Memory] = ()  # the words of a person alone
    rules: Sequence[Memory] = ()  # the wishes, whether a reader wrote notes or not
    noted: Noted | None = None


async def constitutional(reader: ReadingSide, project: str | None, now: float) -> list[Memory]:
    """Constitutional memories true now."""
    return true_now(await reader.constitutional(Scope(project), STANDING), now)


async def true_and_wanted(
    reader: ReadingSide, memories: Sequence[Memory], project: str | None, now: float
) -> list[Memory]:
    """Memories true now and left out by nobody, in their order."""
    true = true_now(memories, now)
    said = await reader.opinions([one.id for one in true], project)
    return [one for one in true if not is_left_out(one, said.get(one.id, UNJUDGED), now)]


async def wanted(reader: ReadingSide, project: str | None, now: float) -> Wanted:
    """Wishes of a person, and the notes of a project with a reader."""
    scope = Scope(project)
    rules = [one for one in await reader.standing(scope, RULES) if _is_told(one)]
    wishes = (await true_and_wanted(reader, rules, project, now))[:WISHES]
    demands = map(_demand, await reader.demands(scope, DEMANDS))
    new = [one for one in demands if not any(says(each.text, one.text) for each in wishes)]
    marks = await reader.marks(project, MOST)
    if not marks:
        return Wanted(wishes, new, wishes)
    memories = true_now(await reader.of_sources(scope, SOURCES, MOST), now)
    standing = {one.id for one in (*wishes, *new)}
    noted = Noted([*new, *memories], marks, standing=standing)
    noted = await _experienced(reader, noted, project, now)
    return Wanted(rules=wishes, noted=await _without_echoes(noted, now))


async def _without_echoes(noted: Noted, now: float) -> Noted:
    """Leave out notes made of a prompt by a rule where a reader's note has most of their words.

    The reader's note has to quote the person: a quotation of an agent takes no place of a person's word.
    """
    made = [one for one in noted.memories if one.source in MADE and not one.pinned]
    read = [
        one
        for one in noted.memories
        if one.source == READER and not is_left_out(one, noted.opinions.get(one.id, UNJUDGED), now)
    ]
    if not (made and read):
        return noted
    words: dict[int, frozenset[str]] = {}
    for one in (*made, *read):
        words[one.id] = stems(one.text)
        await trio.lowlevel.checkpoint()  # hundreds of texts take more than 10 ms
    said = {one.id: words[one.id] for one in made}
    gone = telling.echoes(said, [words[one.id] for one in read])
    return replace(noted, memories=[one for one in noted.memories if one.id not in gone])


async def _experienced(reader: ReadingSide, noted: Noted, project: str | None, now: float) -> Noted:
    """The notes with their record on earlier pages, and the opinions about them."""
    ids = [one.id for one in noted.memories]
    return replace(
        noted,
        listings=await reader.listings(ids),
        opinions=await reader.opinions(ids, project),
        unopened=await reader.unopened_lines(project, now - LISTED_FOR, UNOPENED),
    )


def always(settings: Settings, want: Wanted, now: float) -> list[Memory]:
    """A person's wishes and rules for all work, as far as they fit whole where a reader wrote them."""
    if want.noted is None:
        return [*want.demands, *want.wishes]
    meant = [one for one in want.noted.page_notes(settings, now) if one.is_wish and one.is_always]
    places = page.page(meant, Room(whole=page.WISHES + page.SECTION, lines=0))
    memories = {one.id: one for one in want.noted.memories}
    return [memories[one.identity] for one in places if one.part is Part.WISHES]


async def decided(
    reader: ReadingSide, session: str, project: str | None, rules: Sequence[Memory]
) -> list[Memory]:
    """Decisions of a session: its rules, lasting ones, then notes stated in it."""
    own = [one for one in rules if one.session == session]
    return own + await reader.stated_in(session, project, OWN + len(own))


@contextmanager
def in_time(seconds: float) -> Generator[None]:
    """Leave the block inside when it is late or the store cannot be read."""
    with trio.move_on_after(max(0.0, seconds)), suppress(Unreadable, trio.TooSlowError):
        yield


def _is_told(rule: Memory) -> bool:
    """Return whether any session is told it: kept on purpose, said in general, or set right."""
    if rule.source in AS_IT_IS:
        return True
    return is_for_every_session(rule.text, wish=rule.source == WISH)


def _demand(insight: Memory) -> Memory:
    """The person's words quoted in an insight, as theirs."""
    return replace(insight, text=demanded_in(insight.text), source=DEMANDED)
