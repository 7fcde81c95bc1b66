"""Bare mailboxes as an actor's neighbours, and the actor under them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import trio

from actors.core.mailbox import FAIR, Queue

ROOM = 64


def queue(name: str = "neighbour", *, room: int = ROOM) -> Queue[Any]:
    """The queue of a neighbour whose mail a test reads itself."""
    return Queue(name, room=room)


def mail(of: Queue[Any]) -> list[Any]:
    """What was posted and not taken yet, taken now; interactive mail first."""
    taken: list[Any] = []

    async def take() -> None:
        while of.waiting:
            taken.extend(await of.lease(FAIR) or [])

    # Nothing in it waits while there is mail, so it runs to its end at once.
    coroutine = take()
    try:
        coroutine.send(None)
    except StopIteration:
        return taken
    raise AssertionError("the queue waited although there was mail")


@asynccontextmanager
async def running(actor: Any, inbox: Queue[Any]) -> AsyncGenerator[Queue[Any]]:
    """The actor at work on its queue; at the end it drains and leaves."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(actor.run, inbox.inbox)
        try:
            yield inbox
        except BaseException:
            nursery.cancel_scope.cancel()
            raise
        inbox.close()


@asynccontextmanager
async def answering(of: Queue[Any], reply: Callable[[Any], object]) -> AsyncGenerator[list[Any]]:
    """A neighbour that answers each question by a function, and notes all its mail."""
    noted: list[Any] = []

    async def answer() -> None:
        async for message in of.inbox:
            noted.append(message)
            given = reply(message)
            if isinstance(given, Exception):
                message.reply.fail(given)
            elif hasattr(message, "reply"):
                message.reply(given)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        yield noted
        nursery.cancel_scope.cancel()
