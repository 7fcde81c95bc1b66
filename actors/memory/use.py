"""Use of memories and opinions of people: writes, rows and messages of strength, and a memory on its curve."""

from msgspec import Struct

from actors.core.mailbox import Question
from actors.intake.messages import Happened
from actors.memory.rows import Memory
from actors.policy.decay import curve, states
from actors.policy.decay.curve import Strength, Use
from actors.policy.decay.states import is_protected
from actors.policy.events.events import Tool
from actors.policy.recall.notes import Considered, origin
from actors.policy.statements.trust import is_stated


class Reviewed(Struct, frozen=True):
    """A use changed a memory's strength."""

    memory_id: int
    stability: float
    difficulty: float
    lapses: int
    grade: int
    cause: str
    implicit: bool  # inferred from behaviour: the daily cap counts from it
    at: float


class Exposed(Struct, frozen=True):
    """Memories were shown. Recorded, never strengthening."""

    memory_ids: tuple[int, ...]
    session: str | None
    where: str  # "prompt", "recall", "session_start", "subagent", "tool", "opened", "editor"
    at: float
    project: str | None = None  # from where it was asked for; a recall names no session


class Injected(Struct, frozen=True):
    """A session's prompt, start or call was answered, by words or by silence: the candidates weighed."""

    session: str
    project: str | None
    where: str  # "prompt", "session_start", "subagent", "tool", "failure"
    at: float  # when it was asked
    characters: int  # of the told block
    mode: str  # indexes searched: "both", "words", "none"
    considered: tuple[Considered, ...]
    milliseconds: float = 0.0  # until the answer


class Credited(Struct, frozen=True):
    """A session made use of a memory; once for each cause. Outcome: 1 when it is new."""

    memory_id: int
    session: str
    cause: str  # opened, cited, done, edited_after, confirmed; kept by an earlier version
    at: float


class Validated(Struct, frozen=True):
    """A person's verdict, by words or by undoing, moved how sure a memory is, and not its curve."""

    memory_id: int
    confidence: float | None  # 0..1; None: a step from what it is, as the cause has it
    cause: str  # useful, useless, confirmed, undone
    at: float


class FoundUseful(Struct, frozen=True):
    """A person or an agent called a memory useful in a project, or not. Outcome: 1 if it is there."""

    memory_id: int
    project: str  # empty: in none, which counts in all
    useful: bool


class HintMuted(Struct, frozen=True):
    """A person wants no hint of a memory in a file, or wants it again. Outcome: 1 if it is there."""

    memory_id: int
    project: str
    path: str
    muted: bool


class Retiered(Struct, frozen=True):
    """A person set a memory's tier. Outcome: 1 when it changed."""

    memory_id: int
    tier: str
    at: float


class Suppressed(Struct, frozen=True):
    """A person wants a memory less, once more, or takes that back once. Outcome: times."""

    memory_id: int
    at: float | None  # None: taken back


StrengthWrite = (
    Reviewed | Exposed | Injected | Credited | Validated
    | FoundUseful | HintMuted | Retiered | Suppressed
)  # fmt: skip


# ---- rows


class Opinion(Struct, frozen=True):
    """Opinions of people about a memory."""

    confidence: float = 0.5  # 0..1, by their verdicts
    validations: int = 0  # verdicts
    suppressions: int = 0
    suppressed_at: float | None = None
    useful: int = 0  # times it was called so in the project that asks, and in none
    useless: int = 0
    unused: int = 0  # prompts' sessions that it was told to, if nobody ever used it; 5 at most


# ---- messages


class Review(Question[bool], frozen=True):
    """A memory was of use: answer whether anything of it changed."""

    memory_id: int
    use: Use
    at: float


class Answered(Struct, frozen=True):
    """A prompt, a session's start or a call was answered: the record of it, and the notes shown."""

    injected: Injected
    shown: Exposed | None
    edit: Tool | None = None  # the edit it was shown before


StrengthMessage = Happened | Review | Exposed | Answered


# ---- a memory on its curve, and in words


def factor_of(memory: Memory) -> float:
    """Multiplier of a memory's stability by context, tier, source and whether its references hold."""
    stated = is_stated(memory.source, memory.confidence)
    factor = curve.classification_factor(memory.context_type, memory.tier, stated=stated)
    kept = is_protected(memory.tier, pinned=memory.pinned)
    return factor if kept else factor * memory.freshness


def strength_of(memory: Memory) -> Strength:
    """The memory's strength as the policy sees it."""
    return Strength(
        memory.stability, memory.difficulty, memory.last_review, memory.reviews, memory.lapses,
        memory.last_implicit,
    )  # fmt: skip


def origin_of(memory: Memory) -> str:
    """Origin of a memory, in words."""
    return origin(memory.source, memory.commit, memory.author)


def retrievability_of(memory: Memory, now: float, decay: float) -> float:
    """Probability of recalling the memory now, 0..1."""
    since = now - (memory.last_review or memory.created_at)
    return curve.retrievability(fading_stability(memory, decay), since / states.DAY, decay)


def fading_stability(memory: Memory, decay: float) -> float:
    """The stability for the memory's fading, in days."""
    return curve.effective_stability(
        strength_of(memory), memory.memory_type, decay, factor=factor_of(memory)
    )


def state_of(memory: Memory, now: float, rules: states.Rules) -> str:
    """The lifecycle state, or how the memory ended."""
    if memory.ended is not None:
        return memory.ended
    return states.named(states.standing_at(fading_of(memory, rules.decay), now, rules))


def fading_of(memory: Memory, decay: float) -> states.Fading:
    """Facts for the memory's lifecycle state, now and later."""
    return states.Fading(
        memory.id,
        fading_stability(memory, decay),
        memory.last_review or memory.created_at,
        memory.last_use or memory.created_at,
        factor_of(memory),
        states.is_protected(memory.tier, pinned=memory.pinned),
    )
