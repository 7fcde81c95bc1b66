"""Answers of the passage archive."""

from actors.memory.rows import Scope
from actors.passages import messages
from daemon.context import NotThere, Parts, check_limit, project_meant, table
from daemon.requests.passages import (
    FindPassages,
    PassagesFound,
    PassageShown,
    PassageView,
    ShowPassage,
)
from daemon.views import passage_id, passage_number, view

WITHIN = 30.0  # seconds; a person waits


async def find(parts: Parts, request: FindPassages) -> PassagesFound:
    """Find passages for a person."""
    check_limit(request.k)
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    found: messages.FoundPassages = await parts.mailboxes.passages.ask(
        lambda reply: messages.SearchPassages(
            request.query, request.k, scope, request.track, reply
        ),
        within=WITHIN,
    )
    return PassagesFound(
        passages=[
            view(PassageView, one.passage, id=passage_id(one.passage.id), score=one.score)
            for one in found.passages
        ],
        degraded=found.without_vectors or None,
    )


async def show(parts: Parts, request: ShowPassage) -> PassageShown:
    """One passage, whole."""
    number = passage_number(request.id)
    found = await parts.reader.passages([number] if number is not None else [])
    if number not in found:
        raise NotThere("no_such_passage", "there is no passage with this id, or no longer")
    return PassageShown(passage=view(PassageView, found[number], id=passage_id(number)))


ANSWERS = table(find, show)
