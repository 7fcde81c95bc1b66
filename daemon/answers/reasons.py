"""Reasons why a memory is there, in sentences: one for each question of a person."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from actors.policy.recall.notes import age
from actors.policy.recall.page import NEVER, Listing
from actors.policy.statements.claims import is_by_subject
from actors.policy.text.wording import listed
from daemon.commands.terminal.words import day, local
from daemon.shapes.memory import LinkMet, Reasons
from daemon.times import FOR_EVER, span

LATER = 5  # of the gate's later decisions, the newest
CREDITS = 5  # of each cause, the newest
PHRASES = 8  # of each sort
LINKS = 12  # of its lineage
# A causal link read from its source, and from its target.
SAID_OF = {
    "caused": ("caused", "was caused by"),
    "enabled": ("made possible", "was made possible by"),
    "supersedes": ("supersedes", "is superseded by"),
    "contradicts": ("contradicts", "is contradicted by"),
    "derived_from": ("is derived from", "is what was drawn on for"),
    "supports": ("supports", "is supported by"),
}
OUTCOMES = {"CONFIRM": "confirmed", "REFUTE": "refuted"}
PLACES = {
    "prompt": "with a prompt",
    "session_start": "at the start of a session",
    "subagent": "to a subagent as it started",
    "tool": "before a tool's call",
    "failure": "at a failure",
    "opened": "as an agent opened it",
    "recall": "by a search",
    "editor": "in an editor",
}


class AllReasons(Reasons, frozen=True, kw_only=True):
    """All facts of a memory, to be put into words."""

    memory_type: str
    unjudged: bool
    now: float
    read: Sequence[str] = ()  # a reader's part in it, in sentences
    listing: Listing = NEVER


def sentences(known: AllReasons) -> list[str]:
    """Sentences on origin, maker, changes, strength and phrases of a memory."""
    return [
        *_origin(known),
        *known.read,
        *_decisions(known),
        *_succession(known),
        *_standing(known),
        *_captures(known),
        *importance_sentences(known.importance),
        *_lineage(known),
        *_use(known),
        *_untold(known),
        *_credits(known),
        *_opinions(known),
        *_strength(known),
        *_phrases(known),
    ]


def _ago(known: AllReasons, at: object) -> str:
    return age(known.now - float(at)) if isinstance(at, int | float) else "at an unknown time"


def _origin(known: AllReasons) -> Iterator[str]:
    memory, made_of = known.memory, known.provenance
    said = f"It was {memory.origin}, {_ago(known, memory.created_at)}"
    if memory.session:
        said += f", in session {memory.session}"
    if made_of["tool"]:
        said += f", from the tool {made_of['tool']}"
    if made_of["event"]:
        said += f" (the event: {made_of['event'].replace('_', ' ')}, of {made_of['agent']})"
    yield said + "."
    if memory.why:
        why = " ".join(memory.why.split())
        yield f"Why it is so, as it was said: {why.rstrip('.')}."
    if made_of["redacted"]:
        yield "Secrets were taken out of its text before it was stored."
    if memory.versions > 1:
        yield f"Its text was rewritten {_times(memory.versions - 1)}; earlier ones are kept."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _decisions(known: AllReasons) -> Iterator[str]:
    made = known.decision
    if made is None:
        yield "No decision of the gate that made it is on record."
    else:
        yield f"The gate made it: {_decision(made, known.memory.id)}."
    if known.unjudged and known.memory.ended is None:
        yield "It was kept without vectors; the gate looks at it again when it has them."
    for later in [one for one in known.later if one["action"] not in OUTCOMES][-LATER:]:
        other = later["memory"] if later["memory"] != known.memory.id else None
        cause = f" because of {other}" if other else ""
        said = _decision(later, known.memory.id)
        yield f"The gate came back to it {_ago(known, later['at'])}{cause}: {said}."


def _decision(decision: dict[str, Any], own: str) -> str:
    """A decision in words, for the memory ``own``; a similarity is told once."""
    said = f"{decision['action']}, {decision['reason'].rstrip('.') or 'no reason noted'}"
    existing, told = decision["existing"], "(similarity " in decision["reason"]
    if existing and is_by_subject(decision["reason"]):
        return f"{said} (before: {existing})"
    if existing and decision["similarity"] is not None and not told:
        return f"{said} (similarity {decision['similarity']:.2f} to {existing})"
    if not existing or existing == own:
        return said
    if told:
        return said.replace("(similarity ", f"(to {existing}, similarity ")
    return f"{said} ({'before:' if decision['action'] == 'SUPERSEDE' else 'beside'} {existing})"


def _succession(known: AllReasons) -> Iterator[str]:
    memory = known.memory
    if known.supersedes:
        yield f"It took the place of {', '.join(known.supersedes)}."
    if memory.ended is None:
        return
    when = _ago(known, known.provenance["ended_at"])
    if memory.superseded_by:
        subject = f" as the current “{memory.subject}”" if _is_by_subject(known) else ""
        yield f"{memory.superseded_by} took its place{subject}, {when}: it is {memory.ended}."
    else:
        yield f"It is {memory.ended}, since {when}."


def _is_by_subject(known: AllReasons) -> bool:
    """Return whether its successor took its place because it names the same subject."""
    return any(
        one["memory"] == known.memory.superseded_by and is_by_subject(one["reason"])
        for one in known.later
    )


def _standing(known: AllReasons) -> Iterator[str]:
    """Sentences on its certainty and its evidence, and its time of validity."""
    memory = known.memory
    if memory.status == "hypothesis":
        yield "It is only supposed: nothing has confirmed or refuted it."
    if memory.status == "noticed":
        yield "It was noticed, nobody stated it: reverie confirm, or reverie refute."
    for one in known.later:
        if one["action"] in OUTCOMES:
            done = OUTCOMES[one["action"]]
            yield f"It was {done} {_ago(known, one['at'])}: {one['reason'].rstrip('.')}."
    if span(memory):
        over = memory.valid_until is not None and memory.valid_until <= known.now
        yield f"It {'was' if over else 'is'} true {span(memory)}."


def _captures(known: AllReasons) -> Iterator[str]:
    """Moments behind the capture of its turn."""
    for taken in known.captures:
        moment = taken["reason"] or f"of a moment ({str(taken['kind']).replace('_', ' ')})"
        yield (
            f"The turn that it comes from was kept because {moment} at {local(taken['at']):%H:%M}"
            f" ({_ago(known, taken['at'])}): episode {taken['episode']}."
        )


def _lineage(known: AllReasons) -> Iterator[str]:
    """Its links, nearest first."""
    found, here = known.lineage, known.memory
    if found is None:
        return
    met = [one for group in found.groups.values() for one in group]
    # What took whose place was said already.
    said = {(here.id, "supersedes", other) for other in known.supersedes}
    if here.superseded_by is not None:
        said.add((here.superseded_by, "supersedes", here.id))
    new = [
        one
        for one in sorted(met, key=lambda one: one.hops)
        if one.link.evidence or (one.link.source, one.link.relation, one.link.target) not in said
    ]
    for one in new[:LINKS]:
        yield _linked(one, here.id)
    if len(new) > LINKS:
        yield f"{len(new) - LINKS} more links are around it: --json has them all."
    if found.cut:
        yield f"There are links beyond {found.depth}: --depth goes further, to at most 10."


def _linked(one: LinkMet, here: str) -> str:
    link = one.link
    forth, back = SAID_OF.get(link.relation, (link.relation, link.relation))
    title = f" “{one.title}”" if one.title else ""
    other = f"{one.memory}{title}" + (f" ({one.ended})" if one.ended else "")
    if one.hops > 1:
        before = one.path[-2]
        verb = forth if link.source == before else back
        said = f"{one.hops} links away, {before} {verb} {other}"
    else:
        said = f"It {forth if link.source == here else back} {other}"
    sure = f", {link.strength:.0%} sure" if link.strength < 1 else ""
    why = f": {link.evidence.rstrip('.')}" if link.evidence else ""
    return f"{said}{sure}{why}."


def _use(known: AllReasons) -> Iterator[str]:
    if known.shown_at is None:
        yield "It was never shown."
    else:
        place = PLACES.get(known.shown_where or "", f"in {known.shown_where}")
        often = _times(known.memory.exposures)
        yield f"It was shown {often}, last {place}, {_ago(known, known.shown_at)}."
    if known.listing.starts:
        starts = _times(known.listing.starts)
        yield f"It was a line of a session's start {starts}, last {_ago(known, known.listing.last_at)}."
    if known.used_at is None:
        yield "It was never used."
    else:
        yield f"It was used {_times(known.memory.uses)}, last {_ago(known, known.used_at)}."


def _credits(known: AllReasons) -> Iterator[str]:
    """Which sessions made use of it, and how often it served."""
    usage = known.usage
    for cause, said in (
        ("opened", "opened by an agent"),
        ("cited", "cited by the agent"),
        ("done", "done, by a command or an edit that says it,"),
        ("edited_after", "edited by the agent after it was shown: what it is about"),
        ("confirmed", "confirmed by the next prompt"),
    ):
        days = [day(credit["at"]) for credit in usage.credits if credit["cause"] == cause]
        if days:
            listed = ", ".join(dict.fromkeys(days[-CREDITS:]))
            more = f" and {len(days) - CREDITS} times before" if len(days) > CREDITS else ""
            yield f"It was {said} on {listed}{more}."
    if usage.sessions:
        many = "session" if usage.sessions == 1 else "sessions"
        share = f" ({usage.effectiveness:.0%})" if usage.effectiveness is not None else ""
        yield f"It was shown unasked in {usage.sessions} {many}; {usage.cited} cited it{share}."


def _untold(known: AllReasons) -> Iterator[str]:
    """Reasons of prompts not told of it, though it was weighed for them."""
    untold = known.usage.untold
    if untold:
        why = listed([f"{_times(count)} {fate}" for fate, count in untold.items()])
        yield f"It was weighed for prompts and not told: {why}."


def _opinions(known: AllReasons) -> Iterator[str]:
    """Sentences on people's opinions of it."""
    usage = known.usage
    for one in usage.verdicts:
        said = [f"{w} {_times(one[w])}" for w in ("useful", "useless") if one[w]]
        where = f"In {one['project']} it" if one["project"] else "It"
        yield f"{where} was called {listed(said)}: prompts there heed that."
    if usage.validations:
        yield (
            f"Its confidence is {usage.confidence:.2f}, after {usage.validations}"
            f" {'verdict' if usage.validations == 1 else 'verdicts'}."
        )
    for made in usage.proposals:
        closed = f", {made['state']} {_ago(known, made['decided_at'])}"
        state = f": reverie plan show {made['id']}" if made["state"] == "open" else closed
        yield (
            f"It was proposed for the critical tier {_ago(known, made['at'])}"
            f" ({made['reason']}){state}."
        )
    if usage.suppressions:
        until = ""
        if usage.hidden_until is not None:
            hours = (usage.hidden_until - known.now) / 3600
            until = (
                f"; no prompt gets it for {hours:.0f} hours more, and until then it can be undone"
            )
        yield f"It was suppressed {_times(usage.suppressions)}, and comes later in answers{until}."
    if usage.relevance is not None:
        yield (
            f"Its relevance is {usage.relevance:.3f}: what its age,"
            " its uses, its connections and its importance make together."
        )


def _strength(known: AllReasons) -> Iterator[str]:
    memory = known.memory
    if known.reviews:
        causes = Counter(str(review["cause"]).replace("_", " ") for review in known.reviews)
        listed = ", ".join(f"{cause} {_times(count)}" for cause, count in causes.items())
        came = (
            f"{len(known.reviews)} {'review' if len(known.reviews) == 1 else 'reviews'} ({listed})"
        )
    else:
        came = f"no review, only what is usual for {known.memory_type} memory"
    if memory.pinned or memory.tier in ("constitutional", "critical"):
        held = "pinned" if memory.pinned else memory.tier
        yield f"It does not fade: it is {held}. Behind that stands {came}."
        return
    if memory.ended is not None:
        lasted = _lasting(memory.stability) or "it did not fade"
        yield f"Its strength came from {came}: {lasted}."
        return
    yield (
        f"Its strength comes from {came}: {_lasting(memory.stability) or 'it does not fade'},"
        f" {memory.retrievability:.0%} recallable now ({memory.state})."
    )


def _lasting(stability: float) -> str:
    """A stability in words; nothing when it has no end."""
    return f"a stability of {stability:.1f} days" if stability < FOR_EVER else ""


def _phrases(known: AllReasons) -> Iterator[str]:
    given, derived = (known.phrases[sort] for sort in ("given", "derived"))
    if known.memory.ended is not None:
        yield "Nothing calls it: an ended memory is in no index."
        return
    for phrases, sort in ((given, "set by a person"), (derived, "found in its text")):
        if phrases:
            listed = ", ".join(f"“{phrase}”" for phrase in phrases[:PHRASES])
            more = f" and {len(phrases) - PHRASES} more" if len(phrases) > PHRASES else ""
            yield f"It is called by {listed}{more} ({sort})."
    if not given and not derived:
        yield "No phrase calls it; a question of its words or meaning does."


def importance_sentences(found: Mapping[str, Any]) -> Iterator[str]:
    """Reasons of a memory's importance."""
    if not found:
        return
    yield f"Its importance is {found['value']:.2f} ({found['priority']})."
    if found["promotable"]:
        yield "It may deserve a higher tier: its importance is over 0.85. Nothing promotes it alone."
