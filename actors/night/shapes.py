"""Dreams, plans and captured turns: what is written, read and said of them."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, Literal

from msgspec import Struct, field

from actors.core.mailbox import Question
from actors.policy.decay.archival import Step
from actors.policy.decay.capture import Capture, Raised, TurnTagged
from actors.policy.night.insights import Feedback, Insight, InsightKind
from actors.policy.night.replay import Connection

# ---- dreams: writes, which ``daemon.storage.graph`` and ``dreams`` carry out
#
# Times are seconds since the epoch, UTC.


SOURCE: Final = "dreaming"  # who draws and proposes in a dream
Outcome = Literal["finished", "cancelled", "failed"]  # cancelled: by earlier versions
Figures = Mapping[str, int | float | str]


class ConnectionsDrawn(Struct, frozen=True):
    """Connections were found, or found again: the stronger of old and new counts.

    Outcome: how many are new. A connection of a removed memory is left out.
    """

    connections: tuple[Connection, ...]
    at: float


class ConnectionsStrengthened(Struct, frozen=True):
    """Connections between these pairs, of whatever kind, grow stronger by these amounts."""

    gains: tuple[tuple[int, int, float], ...]  # one, other, by how much
    cap: float
    at: float


class ConnectionsFaded(Struct, frozen=True):
    """All connections fade; the weakest go. Outcome: how many went."""

    factor: float
    floor: float
    kept: int = 20_000  # at most: the strongest


class DreamBegun(Struct, frozen=True):
    """A dream over so many memories begins. Outcome: its number."""

    why: str
    memories: int
    at: float


class DreamEnded(Struct, frozen=True):
    """A dream is over; older dreams beyond the last ``kept`` leave.

    Dreams are dropped unless they have insights left; insights expire unless they are pinned or of
    a protected tier.
    """

    dream_id: int
    outcome: Outcome
    at: float
    figures: Mapping[str, Figures] = {}  # of a finished one, by stage: what it did, in numbers
    planned_at: float = 0.0  # the time of its plans
    kept: int = 100  # dreams
    insights: int = 500


class InsightFound(Struct, frozen=True):
    """A dream noticed something: a memory of its own, with its sources.

    Outcome: the new memory's id, or 0: a person called a similar one useless, the same exists
    already, or a source is gone. An older insight with most of the same sources is superseded,
    unless it is pinned or of a protected tier; then it stays, and nothing is made.
    """

    dream_id: int
    insight: Insight  # with the project of all of its sources
    at: float


DreamWrite = (
    ConnectionsDrawn | ConnectionsStrengthened | ConnectionsFaded
    | DreamBegun | DreamEnded | InsightFound
)  # fmt: skip


# ---- dreams: rows


class DreamRow(Struct, frozen=True):
    """A dream as it is stored."""

    id: int
    why: str
    began_at: float
    ended_at: float | None
    outcome: Outcome | None
    stage: str  # the last one that is done, "" before the first
    memories: int  # memories at its start
    # By stage: what it did.
    figures: Mapping[str, Figures] = field(default_factory=dict[str, Figures])


class InsightRow(Struct, frozen=True):
    """An insight with the reactions of people and agents."""

    memory_id: int
    dream_id: int
    kind: InsightKind
    text: str
    sources: tuple[int, ...]
    confidence: float
    evidence: tuple[str, ...]
    ended: str | None
    accepted: int  # times a person found it useful
    rejected: int  # times a person did not
    applied: int  # times an agent used it

    @property
    def feedback(self) -> Feedback:
        """Return the reactions of people and agents."""
        return Feedback(self.accepted, self.rejected, self.applied)


# ---- dreams: messages


class Dream(Question[int], frozen=True):
    """Dream now. The answer is the dream's number, 0 where there was nothing to dream of.

    A *patient* dream stops at its next checkpoint when somebody comes, and begins anew the next time;
    an ordered one only lets others pass.
    """

    why: str
    at: float
    patient: bool


DreamingMessage = Dream


# ---- plans: memories to put away, proposed before it is done
#
# Whoever finds such a thing (dreaming, the archivist) writes one ``PlanProposed``. Steps are left out whose
# memories are protected, changed or gone, wait in another plan, were left by a person in the last 90
# days, or come after the run's 5 % of the store. Nothing is done before ``PlanApplied``, which is one
# transaction, and ``PlanUndone`` takes it back. The rules are in ``actors.policy.decay.archival``;
# ``daemon.storage.plans`` carries the writes out.


PlanState = Literal["open", "applied", "undone", "dismissed", "stale"]


class PlanProposed(Struct, frozen=True):
    """A plan waits for a decision. Outcome: its number, or 0 when it says nothing new."""

    source: str  # archivist, dreaming
    reason: str  # one line of figures, never a memory's text
    steps: tuple[Step, ...]
    at: float  # seconds UTC, the same of all plans of one run: the cap is a run's


class PlanApplied(Struct, frozen=True):
    """Order to carry a plan out, whole or not at all. Outcome: how many steps were carried out.

    It is 0 when the plan was applied before, is gone, or has become stale; its row says why. By the
    archivist only a waiting plan is carried out: a plan left by a person stays left.
    """

    plan_id: int
    at: float
    by: Literal["person", "archivist"] = "person"


class PlanUndone(Struct, frozen=True):
    """Order to take a plan's deeds back. Outcome: how many steps were restored."""

    plan_id: int
    at: float


class PlanDismissed(Struct, frozen=True):
    """A person leaves a plan: it is not proposed again for a while. Outcome: 1 when it waited."""

    plan_id: int
    at: float


class PlansTold(Struct, frozen=True):
    """A session was told of these waiting plans: no other session is."""

    plan_ids: tuple[int, ...]
    at: float


PlanWrite = PlanProposed | PlanApplied | PlanUndone | PlanDismissed | PlansTold


# ---- plans: rows


class PlanRow(Struct, frozen=True):
    """A plan as it is stored, with its steps in their order."""

    id: int
    act: str  # archive; of earlier versions also forget, retier, summarise, retype, rescope
    source: str
    reason: str
    state: PlanState
    proposed_at: float
    decided_at: float | None
    undone_at: float | None
    note: str  # its result, in words
    steps: tuple[Step, ...] = ()


# ---- plans: messages


class Scan(Struct, frozen=True):
    """The archivist looks through the old memories."""

    at: float


ArchivistMessage = Scan


# ---- tagging: moments, tags of turns, captures
#
# SQL over their tables answers which turns are worth reading, why and since when: a row of
# ``turn_capture`` says the turn ``first_seq`` of ``turn_tag`` (its session, project, first and last
# event) was captured by the moment ``event_id`` of ``importance_event`` (its kind, its reason in one
# line, its time), with its score.


class Faded(Struct, frozen=True):
    """Tags from before this time have faded, and so have moments without captures.

    Of captured turns the newest ``kept`` stay. Outcome: how many tags left.
    """

    before: float
    kept: int


CaptureWrite = Raised | TurnTagged | Capture | Faded


# ---- tagging: messages


class Place(Enum):
    """Place of an event in its turn."""

    WITHIN = "within"
    ASKED = "asked"  # somebody's words began it, or came into it
    ENDED = "ended"


class Touched(Struct, frozen=True):
    """An event of a session touched these, and may be an important moment."""

    seq: int
    at: float
    session: str
    project: str | None
    touched: frozenset[bytes]
    place: Place
    moment: Raised | None = None


TaggingMessage = Touched
