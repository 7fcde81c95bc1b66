"""Actors for clients' requests and background jobs."""

from dataclasses import dataclass

from actors.core.mailbox import Mailbox
from actors.gate.messages import GateMessage
from actors.intake.messages import ExtractionMessage, IntakeMessage
from actors.memory.commit import LongTermMessage
from actors.memory.rows import EmbedderMessage
from actors.memory.use import StrengthMessage
from actors.night.shapes import ArchivistMessage, DreamingMessage
from actors.reader.messages import SessionReaderMessage
from actors.recall.shapes import RecallMessage
from actors.session.shapes import WorkingMemoryMessage
from actors.staleness.messages import StalenessMessage


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """The actors for clients' requests."""

    intake: Mailbox[IntakeMessage]
    gate: Mailbox[GateMessage]
    long_term: Mailbox[LongTermMessage]
    embedder: Mailbox[EmbedderMessage]
    recall: Mailbox[RecallMessage]
    strength: Mailbox[StrengthMessage]
    working_memory: Mailbox[WorkingMemoryMessage]
    archivist: Mailbox[ArchivistMessage]
    extraction: Mailbox[ExtractionMessage]
    dreaming: Mailbox[DreamingMessage]
    staleness: Mailbox[StalenessMessage]
    session_reader: Mailbox[SessionReaderMessage]
