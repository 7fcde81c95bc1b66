"""Use that agents made of what they were shown, from the rows that are there already."""

from daemon.context import Parts, table
from daemon.requests.evaluation import Agents, AgentsFigures, Ignored, Week
from daemon.requests.shapes import BadRequest
from daemon.storage import evaluation
from daemon.views import short_id

LONGEST = 520  # weeks
MOST = 5  # memories that are named


async def agents(parts: Parts, request: Agents) -> AgentsFigures:
    """Shown, cited and ignored, week by week."""
    if not 0 < request.weeks <= LONGEST:
        raise BadRequest(f"{request.weeks} weeks: it must be between 1 and {LONGEST}")
    now, count = parts.clock.now(), request.weeks
    rows = await parts.reader.read(evaluation.weeks, now, count)
    ignored = await parts.reader.read(evaluation.most_ignored, now, count, MOST)
    return AgentsFigures(
        weeks=[
            Week(
                begins=now - (back + 1) * evaluation.WEEK,
                sessions=sessions,
                shown=shown,
                cited=cited,
                used=used,
                ignored=shown - used,
            )
            for back, sessions, shown, cited, used in rows
        ],
        ignored=[
            Ignored(id=short_id(number), title=title, sessions=sessions)
            for number, title, sessions in ignored
        ],
    )


ANSWERS = table(agents)
