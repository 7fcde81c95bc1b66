"""Sessions from before there was a memory, read by the reader from transcripts."""

from daemon.requests.shapes import Reply, Request


class TranscriptsRead(Reply, frozen=True, kw_only=True):
    """Sessions of transcripts that the reader reads, what that costs, and what came of it."""

    engine: str  # empty: nobody agreed to one, and nothing is read
    run: str  # names what was read, to take it back; empty when nothing was
    sessions: int  # that are to be read; after it, that were
    prompts: int  # that a person typed in them
    tokens: int  # of what is shown, about; after it, what was spent
    dollars: float | None  # as readings cost until now, and what it cost; None: not known
    notes: int  # that were written
    heard: int  # sessions that hooks reported: `reverie reader now` reads them
    before: int  # sessions that were read before
    unread: int  # sessions that are too large or damaged, or in which nothing was typed
    off: int  # events from where or when recording was off
    failures: list[str]  # one line for each session that was not read


class ReadTranscripts(Request[TranscriptsRead], frozen=True, kw_only=True):
    """Have the reader read the newest transcripts of a project, the oldest of them first.

    Progress frames ``{"done": sessions, "documents": sessions}``. Whoever asked may go away: what was
    read by then stays, and the rest is read when it is asked for again.
    """

    NAME = "read-transcripts"
    folder: str  # absolute
    transcripts: str  # the folder of Claude Code's transcripts
    take: bool = False
    limit: int = 1_000  # sessions
    moved_from: str = ""  # absolute: where the project was when they were written
    since: float = 0.0  # seconds UTC: of sessions that were written to since then
