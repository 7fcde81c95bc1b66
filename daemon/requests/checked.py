"""A request as it came over the wire, checked strictly, and the type of its reply."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from daemon.requests import (
    about,
    backfill,
    claims,
    consolidation,
    dreams,
    evaluation,
    events,
    explore,
    graph,
    imports,
    intentions,
    link,
    memories,
    optimize,
    plans,
    sessions,
    status,
    strength,
    timeline,
)
from daemon.requests.shapes import BadRequest, R, Request

_ROOMS = (
    status,
    memories,
    imports,
    timeline,
    optimize,
    sessions,
    about,
    link,
    explore,
    intentions,
    claims,
    backfill,
    strength,
    plans,
    evaluation,
    events,
    consolidation,
    dreams,
    graph,
)
REQUESTS: dict[str, type[Request[Any]]] = {
    request.NAME: request for room in _ROOMS for request in room.ASKED
}


def parsed(kind: str, body: object) -> Request[Any]:
    """The request of this kind, checked strictly.

    Raises ``BadRequest`` for an unknown kind and for any field that is missing,
    unknown or of another type.
    """
    request = REQUESTS.get(kind)
    if request is None:
        raise BadRequest(f"there is no request called {kind[:40]!r}")
    try:
        checked: Request[Any] = msgspec.convert(body, request, strict=True)
    except msgspec.ValidationError as error:
        raise BadRequest(f"{kind}: {error}") from None
    return checked


def reply_type(request: Request[R]) -> type[R]:
    """The type that answers this request."""
    (argument,) = get_args(type(request).__orig_bases__[0])  # type: ignore[attr-defined]
    return argument  # type: ignore[no-any-return]
