"""Questions to the store by name: each is a function in the storage module of its subject, described there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from daemon.storage import (
    corpora,
    edit,
    episodes,
    files,
    gate,
    graph,
    homes,
    journal,
    lifecycle,
    link,
    read_notes,
    readings,
    recall,
    sessions,
    stats,
    strength,
    why,
)
from daemon.storage import dreams as dreams_stored
from daemon.storage import intentions as intentions_stored
from daemon.storage import memories as memories_stored
from daemon.storage import opinions as opinions_stored
from daemon.storage import passages as passages_stored
from daemon.storage import plans as plans_stored
from daemon.storage.database.sql import Sql

# What an async function gives is a Coroutine to mypy, and a CoroutineType to basedpyright.
MYPY = False  # mypy takes it for true
if MYPY:
    from collections.abc import Coroutine as Given
else:
    from types import CoroutineType as Given

P = ParamSpec("P")
T = TypeVar("T")


def asks(
    query: Callable[Concatenate[Sql, P], T],
) -> Callable[Concatenate[Questions, P], Given[Any, Any, T]]:
    """A question of the reading side: this query, on whichever connection is less busy."""

    async def asked(side: Questions, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await side.read(query, *args, **kwargs)

    return asked


class Questions(ABC):
    """All questions to the database alone, by subject."""

    @abstractmethod
    async def read(
        self, query: Callable[Concatenate[Sql, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run one query under the caller's deadline."""

    left_alone = asks(lifecycle.left_alone)
    kept_by_hand = asks(lifecycle.kept_by_hand)
    ignored = asks(lifecycle.ignored)
    followed = asks(lifecycle.followed)
    older_than = asks(lifecycle.older_than)
    outlived = asks(lifecycle.outlived)
    unneeded = asks(lifecycle.unneeded)
    archived_lately = asks(lifecycle.archived_lately)
    archival_figures = asks(lifecycle.figures)

    of_subject = asks(edit.of_subject)
    superseded = asks(edit.superseded)
    refuted_before = asks(edit.refuted_before)
    expired = asks(edit.expired)

    connections_of = asks(graph.connections_of)

    unlooked = asks(graph.unlooked)
    own_vectors = asks(graph.own_vectors)
    alike = asks(graph.like)
    associations = asks(graph.associations)

    dreamable = asks(dreams_stored.dreamable)
    dreamt_memories = asks(dreams_stored.dreamt_memories)
    first_vectors = asks(dreams_stored.first_vectors)
    said = asks(dreams_stored.archived_prompts)
    prompts = asks(dreams_stored.prompts)
    uses_of_living = asks(strength.uses_of_living)
    unfinished_dream = asks(dreams_stored.unfinished)
    dreams = asks(dreams_stored.dreams)
    insights = asks(dreams_stored.insights)
    saved_since = asks(dreams_stored.saved_since)

    turn_tags = asks(episodes.turn_tags)
    moments = asks(episodes.moments)
    captured_without_vectors = asks(episodes.captured_without_vectors)

    keyed = asks(gate.keyed)
    under_key = asks(gate.under_key)
    documents_of = asks(gate.documents_of)
    same_content = asks(gate.same_content)
    unjudged = asks(gate.unjudged)
    decided = asks(gate.decided)
    model_in_use = asks(gate.model_in_use)
    sampled_vectors = asks(gate.sampled_vectors)

    edges_around = asks(graph.edges_around)
    links_of = asks(graph.links_of)
    edges_within = asks(graph.edges_within)
    graph_totals = asks(graph.graph_totals)

    intentions = asks(intentions_stored.intentions)

    ended_failure = asks(files.ended_failure)

    undone = asks(journal.undone)
    events_of = asks(journal.events_of)
    last_answer = asks(journal.last_answer)
    calls_in = asks(journal.calls_in)
    instructions_of = asks(journal.instructions_of)

    declaring = asks(link.declaring)
    named = asks(link.named)
    linking = asks(link.linking)

    memories = asks(memories_stored.memories)
    living = asks(memories_stored.living)
    constitutional = asks(memories_stored.constitutional)
    standing = asks(memories_stored.standing_orders)
    of_sources = asks(memories_stored.of_sources)
    ended_since = asks(memories_stored.ended_since)
    stated_in = asks(memories_stored.stated_in)
    demands = asks(memories_stored.demands)
    about_files = asks(memories_stored.about_files)

    passages = asks(passages_stored.passages)
    handoff = asks(passages_stored.handoff)
    passages_without_vectors = asks(passages_stored.passages_without_vectors)
    passage_counts = asks(passages_stored.passage_counts)

    phrases_after = asks(recall.phrases_after)
    phrases_of = asks(recall.phrases_of)

    plans = asks(plans_stored.listed)
    plan = asks(plans_stored.plan)
    plan_members = asks(plans_stored.members)
    untold_plans = asks(plans_stored.untold)

    referring = asks(files.referring)
    references_of = asks(files.references_of)
    unread = asks(files.unread)

    given_by = asks(read_notes.given_by)
    unwanted = asks(homes.unwanted)
    prompts_elsewhere = asks(read_notes.prompts_elsewhere)
    marks = asks(read_notes.marks)
    cue_vectors = asks(read_notes.cue_vectors)
    cued_by_files = asks(read_notes.cued_by_files)
    cued_by = asks(read_notes.cued_by)
    cues_to_embed = asks(read_notes.cues_to_embed)
    stopped_at = asks(read_notes.stopped_at)

    unread_sessions = asks(readings.unread_sessions)
    events_to_read = asks(readings.events_to_read)
    events_of_session = asks(readings.events_of_session)
    captured_turns = asks(readings.captured_turns)
    readings_since = asks(readings.readings_since)
    much_noted = asks(readings.much_noted)
    last_readings = asks(readings.last_readings)
    reading_totals = asks(readings.reading_totals)
    consent_to = asks(readings.consent_to)

    literally = asks(recall.literally)
    around = asks(recall.around)

    delivered = asks(sessions.delivered)
    session = asks(sessions.session_row)
    session_before = asks(sessions.session_before)
    last_task = asks(sessions.last_task)
    is_scripted = asks(sessions.is_scripted)
    last_start = asks(sessions.last_start)
    answered_between = asks(sessions.answered_between)
    prompts_of = asks(sessions.prompts_of)
    saying = asks(sessions.saying)
    made_and_used_in = asks(sessions.made_and_used_in)

    counts = asks(stats.counts)
    due = asks(stats.due)

    shown_in = asks(strength.shown_in)
    credits_in = asks(strength.credits_in)
    opinions = asks(opinions_stored.opinions)

    listings = asks(why.listings)
    unopened_lines = asks(why.unopened_lines)

    untokened = asks(corpora.untokened)

    unvectored = asks(corpora.unvectored)
    cached_vectors = asks(corpora.cached_vectors)
