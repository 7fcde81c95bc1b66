"""All writes to the store: a closed union of values, by subject.

Actors build these and hand them to ``long_term``, the one owner of the writing connection;
``daemon.storage.database.writes`` carries each out. A *unit* is a tuple of writes, done together or
not at all.
"""

from actors.gate.writes import GateWrite
from actors.intake.messages import IntakeWrite
from actors.links.writes import LinkWrite
from actors.memory.embedding_writes import EmbeddingWrite
from actors.memory.share_writes import ShareWrite
from actors.memory.strength_writes import StrengthWrite
from actors.memory.writes import MemoryWrite
from actors.night.capture_writes import CaptureWrite
from actors.night.dream_writes import DreamWrite
from actors.night.plan_writes import PlanWrite
from actors.passages.writes import PassageWrite
from actors.reader.writes import NoteWrite, ReadingWrite
from actors.session.intention_writes import IntentionWrite
from actors.session.writes import SessionWrite
from actors.staleness.rows import StalenessWrite

StoreWrite = (
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


Unit = tuple[StoreWrite, ...]
