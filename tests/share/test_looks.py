"""Looks at repositories: asked for at once, in order, and no more often than is of use."""

from __future__ import annotations

import trio

from daemon.share.folder import EVERY, PROJECTS, Looks
from tests.clock import VIRTUAL_TIME

pytestmark = VIRTUAL_TIME


async def test_a_project_that_is_heard_of_again_and_again_is_looked_at_once_in_a_while() -> None:
    looks = Looks(is_followed=True)
    first = looks.heard("/shop")
    again = looks.heard("/shop")
    taken, done = await looks.next()
    soon = looks.heard("/shop")
    await trio.sleep(EVERY)
    later = looks.heard("/shop")

    assert first is again is done
    assert taken == "/shop"
    assert soon is None
    assert later is not None


async def test_a_sessions_start_is_looked_for_however_short_ago_the_last_look_was() -> None:
    looks = Looks(is_followed=True)
    looks.heard("/shop")
    await looks.next()
    start = looks.heard("/shop", now=True)

    assert start is not None
    assert await looks.next() == ("/shop", start)


async def test_nobody_waits_for_a_look_that_nobody_takes_up() -> None:
    assert Looks().heard("/shop", now=True) is None


async def test_no_more_projects_wait_than_there_is_room_for() -> None:
    looks = Looks(is_followed=True)
    waiting = [looks.heard(f"/{number}") for number in range(PROJECTS + 1)]

    assert waiting[PROJECTS] is None
    assert None not in waiting[:PROJECTS]


async def test_who_waits_for_a_look_goes_on_when_it_is_done_or_late() -> None:
    looks = Looks(is_followed=True)
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(looks.look, "/shop", 9.0)
        _, done = await looks.next()
        done.set()
    soon = trio.current_time()
    await looks.look("/shop", 0.5)

    assert soon == began
    assert trio.current_time() - soon == 0.5
