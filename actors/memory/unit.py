"""Everything that may be written to the store: a closed union of values.

Actors build these and hand them to ``long_term``, the one owner of the writing connection;
``daemon.storage.writes`` carries each out. A *unit* is a tuple of writes that happen together
or not at all.
"""

from __future__ import annotations

from actors.capture.writes import (
    Backfilled,
    Captured,
    Dimmed,
    Faded,
    ImportanceRated,
    Marked,
    Raised,
)
from actors.consolidation.writes import RelevanceComputed
from actors.dreams.writes import (
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsStrengthened,
    DreamAdvanced,
    DreamAttempted,
    DreamBegun,
    DreamEnded,
    EpisodesDrawn,
    InsightFound,
    StageLeftOut,
)
from actors.embedding.writes import ModelChosen, Tokened, TokensDropped, Vectored
from actors.gate.writes import Audited, Calibrated, Judged
from actors.intake.writes import Derived, Journaled
from actors.intentions.writes import (
    IntentionChanged,
    IntentionErased,
    IntentionMade,
    IntentionsDropped,
)
from actors.links.writes import Associated, Connected, Declared, Disconnected
from actors.memory.writes import (
    Created,
    DueAt,
    Ended,
    Erased,
    ErasedEverything,
    Linked,
    Pinned,
    Pruned,
    Revived,
    Rewritten,
    StatusSet,
    ValiditySet,
)
from actors.plans.writes import (
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlansTold,
    PlanUndone,
    Scanned,
)
from actors.session.writes import Delivered, Held, SessionSeen, Undelivered
from actors.strength.writes import (
    Credited,
    Exposed,
    PromotionProposed,
    ProposalDecided,
    Rated,
    Resettled,
    Retiered,
    Reviewed,
    Suppressed,
    Validated,
)

Write = (
    Journaled
    | Derived
    | Created
    | Rewritten
    | Ended
    | Revived
    | Linked
    | Judged
    | Audited
    | Reviewed
    | Exposed
    | Delivered
    | Undelivered
    | SessionSeen
    | Held
    | Vectored
    | ModelChosen
    | Calibrated
    | Pinned
    | DueAt
    | Pruned
    | Erased
    | ErasedEverything
    | Raised
    | Captured
    | Faded
    | ImportanceRated
    | Dimmed
    | Marked
    | Backfilled
    | StatusSet
    | ValiditySet
    | Associated
    | Connected
    | Disconnected
    | Declared
    | Credited
    | Validated
    | PromotionProposed
    | ProposalDecided
    | Retiered
    | Rated
    | Suppressed
    | Resettled
    | IntentionMade
    | IntentionChanged
    | IntentionsDropped
    | IntentionErased
    | ConnectionsDrawn
    | Tokened
    | TokensDropped
    | ConnectionsStrengthened
    | ConnectionsFaded
    | DreamBegun
    | DreamAdvanced
    | DreamAttempted
    | StageLeftOut
    | DreamEnded
    | InsightFound
    | EpisodesDrawn
    | RelevanceComputed
    | PlanProposed
    | PlanApplied
    | PlanUndone
    | PlanDismissed
    | PlansTold
    | Scanned
)


Unit = tuple[Write, ...]
