"""Sessions run by a program, and no person: known by the client's word, else by first words."""

from actors.policy.agents.normal import HEADLESS, is_script
from actors.policy.events.events import EventKind
from actors.policy.session.tasks import task_of
from actors.recall.messages import Bring
from daemon.storage.reader import ReadingSide


async def is_scripted(reader: ReadingSide, question: Bring) -> bool:
    """Return whether a script runs the session: by the client's word, or by recurring first words."""
    event = question.event
    if is_script(event.entrypoint):
        return True
    task = task_of(event.task) or ""
    if event.kind is not EventKind.SESSION_START or event.source == "compact":
        # What a subagent is given is not what its session began with.
        row = await reader.session(event.session)
        task = row.task if row is not None else ""
    elif not task and event.entrypoint == HEADLESS:
        # Its words are not known yet: a script's session begins as its last one did.
        task = await reader.last_task(event.session, question.project)
    return bool(task) and await reader.is_scripted(event.session, question.project, task)
