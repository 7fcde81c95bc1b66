"""All writes to the store: a closed union of values, by subject.

Actors build these and hand them to ``long_term``, the one owner of the writing connection;
``daemon.storage.database.writes`` carries each out. A *unit* is a tuple of writes, done together or
not at all.
"""

from actors.capture.writes import CaptureWrite
from actors.dreams.writes import DreamWrite
from actors.embedding.writes import EmbeddingWrite
from actors.gate.writes import GateWrite
from actors.intake.messages import IntakeWrite
from actors.intentions.writes import IntentionWrite
from actors.links.writes import LinkWrite
from actors.memory.writes import MemoryWrite
from actors.passages.writes import PassageWrite
from actors.plans.writes import PlanWrite
from actors.reader.writes import NoteWrite, ReadingWrite
from actors.session.writes import SessionWrite
from actors.share.writes import ShareWrite
from actors.staleness.rows import StalenessWrite
from actors.strength.writes import StrengthWrite

Write = (
    CaptureWrite
    | DreamWrite
    | EmbeddingWrite
    | GateWrite
    | IntakeWrite
    | IntentionWrite
    | LinkWrite
    | MemoryWrite
    | NoteWrite
    | ReadingWrite
    | PassageWrite
    | PlanWrite
    | SessionWrite
    | ShareWrite
    | StalenessWrite
    | StrengthWrite
)


Unit = tuple[Write, ...]
