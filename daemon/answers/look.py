"""Looks into transcripts of Claude Code: their events, read as intake reads hooks' events."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from actors.intake.reading import Reading, read_object
from actors.policy.events import transcripts as policy
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event
from actors.policy.events.switch import TELLING, TOLD_OF
from daemon.context import Parts
from daemon.projects import project_root
from daemon.recording import Recording
from daemon.sources import DiskFolder
from daemon.transcripts import Transcript, piece, transcripts

AGENT: Final = "claude"
DIRECTORIES: Final = 256  # with known projects, for one run


@dataclass(frozen=True, slots=True)
class Look:
    """Settings and places for every look into a transcript."""

    project: str
    since: float
    until: float
    redact: Redact
    recording: Recording
    project_of: Callable[[str], str]  # of a directory
    before: str  # where the project was; "" when it did not move

    def now(self, path: str) -> str:
        """Path in the project, where it is today."""
        inside = self.before and f"{path}/".startswith(f"{self.before}/")
        return f"{self.project}{path.removeprefix(self.before)}" if inside else path


def look_into(parts: Parts, project: str, since: float, before: str) -> Look:
    """Make the settings of a look into the transcripts of a project, which may have moved since."""
    return Look(
        project, since, parts.clock.now(), parts.redact, Recording(parts.home),
        lru_cache(maxsize=DIRECTORIES)(_project_at), before,
    )  # fmt: skip


def _project_at(place: str) -> str:
    return str(project_root(Path(place)))


def transcripts_of(folder: Path, look: Look, _: DiskFolder) -> list[Transcript]:
    """List the transcripts of a project, newest first."""
    return transcripts(
        folder, look.since,
        lambda place: bool(place) and look.project_of(look.now(place)) == look.project,
    )  # fmt: skip


class Happening(NamedTuple):
    """An event in a transcript."""

    id: str
    at: float  # seconds UTC
    reading: Reading
    event: Event


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some lines of a transcript."""

    happenings: tuple[Happening, ...]
    off: int  # events from where or when recording was off
    damaged: int  # lines
    left: policy.Open  # state for the next lines
    read: int  # bytes up to here

    @property
    def is_over(self) -> bool:
        """Tell whether it is the last one."""
        return not self.read


def stretch(transcript: Transcript, read: int, left: policy.Open, look: Look) -> Stretch | None:
    """Read some more lines; ``None``: the file went away."""
    try:
        found = piece(transcript.path, read)
    except OSError:
        return None
    tellings: list[policy.TranscriptEvent] = []
    for entry in found.entries:
        left, told = policy.events_of_line(entry, left)
        tellings += told
    if not found.after:
        tellings += policy.ended(left)
    happenings, off = list[Happening](), 0
    for one in tellings:
        reading = read_object(AGENT, {**one.event, "session_id": transcript.session}, look.redact)
        event, at = reading.event, min(one.at, look.until)
        begin = at - TOLD_OF if one.event["hook_event_name"] in TELLING else at
        places = [look.now(place) for place in reading.places]
        if look.recording.off(places, transcript.session, begin, at) is not None:
            off += 1
        elif isinstance(event, Event) and look.project_of(look.now(event.cwd)) == look.project:
            happenings.append(Happening(one.id, at, reading, event))
    return Stretch(tuple(happenings), off, found.damaged, left, found.after)
