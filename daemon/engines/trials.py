"""Trials of an engine on the sample session, and whether its notes wait for a person.

A model behind ``http`` or ``llama`` may be anybody's and has to prove first it can read: until a trial
says so, its notes wait in the inbox. The last trial of each engine stands in the store.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Final

import trio

from actors.policy.reader.exchange import Answer
from actors.policy.reader.fitness import Fitness, fitness
from actors.policy.reader.instructions import request
from actors.policy.reader.sample import PROJECT, SESSION, sample
from actors.reader.messages import Chosen, ReadingEngine
from actors.reader.readership import Readership
from actors.reader.writes import ReadingBegun, ReadingEnded
from daemon.context import Parts
from daemon.engines.choice import (
    BadChoice,
    Choice,
    Description,
    described,
    reading_engine,
)
from daemon.engines.process import Place
from daemon.settings import Reader, load
from daemon.shapes.replies import BadRequest
from daemon.storage import readings
from daemon.storage.reader import ReadingSide

ANY_MODEL: Final = ("http", "llama")
TRIAL: Final = "a trial"  # why such a request was made
TELL_WITHIN: Final = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial with an answer."""

    engine: ReadingEngine
    told: Description
    fitness: Fitness
    tokens: int
    dollars: float | None
    seconds: float


def choice_of(settings: Reader) -> Choice | None:
    """The engine of the settings; ``None``: nobody reads."""
    if not settings.engine:
        return None
    return Choice(settings.engine, settings.command, settings.url, settings.model, settings.agents)


async def engine_of(choice: Choice, place: Place, reader: ReadingSide) -> ReadingEngine:
    """The engine of a choice, as the reader uses it."""
    made = reading_engine(choice, place)
    if choice.engine not in ANY_MODEL:
        return made
    fit = await reader.read(readings.was_fit, made.name, TRIAL)
    return reading_engine(choice, place, waits=not fit)


async def take_up(parts: Parts, readership: Readership) -> None:
    """Have the settings' engine read; an impossible one is a warning."""
    choice = choice_of(parts.settings.reader)
    try:
        if choice is not None:
            readership.engine = await engine_of(choice, parts.place, parts.reader)
    except BadChoice as error:
        parts.warnings = (*parts.warnings, f"nothing is read: {error}")


async def tried(parts: Parts) -> Trial:
    """Have the engine in use read the sample. Raises ``BadRequest`` without a result."""
    loaded = await trio.to_thread.run_sync(load, parts.home, parts.place.environ)
    choice = choice_of(loaded.settings.reader)
    if choice is None:
        raise BadRequest("there is no reader yet: reverie reader use says which there are")
    try:
        told = await described(choice, parts.place)
    except BadChoice as error:
        raise BadRequest(str(error)) from None
    if told.trouble:
        raise BadRequest(told.trouble)
    engine = reading_engine(choice, parts.place)
    shown = sample()
    wanted = request(SESSION, PROJECT, shown)
    began = parts.clock.now()
    begun = ReadingBegun("", None, engine.name, TRIAL, began, began, 0, 0, shown.tokens)
    (number,) = await parts.commit((begun,))
    sent = perf_counter()
    answer = await engine.answer(wanted)
    seconds = perf_counter() - sent
    if not isinstance(answer, Answer):
        failure = answer.reason.value
        ended = ReadingEnded(number, parts.clock.now(), answer.tokens, None, failure)
        await parts.commit((ended,))
        detail = f" ({answer.detail})" if answer.detail else ""
        raise BadRequest(f"{engine.name}: {failure}{detail}")
    found = fitness(answer.document, shown)
    unfit = {} if found.is_fit else {"unfit": 1}
    ended = ReadingEnded(number, parts.clock.now(), answer.tokens, answer.dollars, "", 0, unfit)
    await parts.commit((ended,))
    engine, at = await engine_of(choice, parts.place, parts.reader), parts.clock.now()
    chosen = Chosen(engine, at)
    await parts.mailboxes.session_reader.ask(chosen, within=TELL_WITHIN)
    return Trial(engine, told, found, answer.tokens, answer.dollars, seconds)
