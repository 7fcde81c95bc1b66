"""Usage of a memory: its services, and people's reactions."""

from collections.abc import Collection
from typing import Any, Final

from actors.memory.rows import Memory
from actors.memory.use import Opinion
from actors.policy.decay import accessibility, reinforcement
from actors.policy.decay.archival import relevances
from actors.policy.decay.reinforcement import Use
from actors.policy.session.citation import effectiveness
from daemon.context import Parts
from daemon.shapes.memory import Usage
from daemon.states import retrievability_of
from daemon.storage import edit, opinions, strength, why

# Uses of a note in a word; what was edited after it was told is done.
USES: Final = {
    "opened": "opened",
    "cited": "cited",
    "done": "done",
    "edited_after": "done",
    "confirmed": "confirmed",
}


def became(causes: Collection[str], *, useless: bool) -> str:
    """Uses of a note after it was told or listed, in words."""
    uses = dict.fromkeys(word for cause, word in USES.items() if cause in causes)
    return ", ".join((*(["called not useful"] if useless else []), *uses)) or "nothing yet"


async def usage_of(parts: Parts, memory: Memory) -> Usage:
    """Figures of a memory's services, and people's opinions of it."""
    read, now = parts.reader.read, parts.clock.now()
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    credited = await read(strength.credits_of, memory.id)
    sessions = await read(strength.sessions_shown, memory.id)
    made: list[dict[str, Any]] = await read(opinions.promotions_of, memory.id)
    windows: list[dict[str, Any]] = await read(edit.settled_windows, memory.id)
    verdicts: list[dict[str, Any]] = await read(opinions.verdicts_of, memory.id)
    untold = await read(why.untold, memory.id)
    uses = await read(strength.uses_of_living, now, memory.id - 1, 1)
    heeding = {Use.CITED.value, Use.DONE.value}
    cited = len({one.session for one in credited if one.cause in heeding})
    storage = accessibility.storage_of(memory.uses, memory.lapses)
    recallable = retrievability_of(memory, now, parts.settings.strength.decay)
    standing = reinforcement.Suppression(said.suppressions, said.suppressed_at)
    hidden = reinforcement.is_suppressed(standing, now) and said.suppressed_at is not None
    return Usage(
        confidence=memory.confidence,
        validations=said.validations,
        storage=round(storage, 6),
        retention=round(accessibility.retention(recallable, storage), 6),
        sessions=sessions,
        cited=cited,
        effectiveness=effectiveness(cited, sessions),
        credits=[{"session": one.session, "cause": one.cause, "at": one.at} for one in credited],
        suppressions=said.suppressions,
        hidden_until=(said.suppressed_at or 0.0) + reinforcement.DURATION if hidden else None,
        proposals=made,
        verdicts=verdicts,
        untold=untold,
        windows=windows,
        relevance=next(
            (round(relevances([use])[0], 6) for one, use in uses if one == memory.id), None
        ),
    )
