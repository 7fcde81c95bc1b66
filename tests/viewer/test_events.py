"""What happens, as it happens: for one who looks, who sleeps, and who comes back."""

from __future__ import annotations

import pytest

from tests.viewer.browser import Browser, View
from viewer.connection import KEPT, Events

pytestmark = pytest.mark.anyio
RESYNC = b"event: resync"


def created(number: int) -> dict[str, object]:
    """A frame of the daemon: a memory was kept."""
    data = {"id": f"m{number}", "kind": "fact"}
    event = {"number": number, "at": 1.0, "type": "MemoryCreated", "data": data}
    return {"events": [event], "dropped": 0}


async def test_who_reads_slowly_costs_no_memory_and_is_told_to_load_anew() -> None:
    events = Events()
    sleeper = events.after("")
    await anext(sleeper)
    for number in range(KEPT + 1):
        events.happened(created(number))

    woken = await anext(sleeper)
    events.happened(created(7))
    then = await anext(sleeper)
    await sleeper.aclose()

    assert woken.startswith(RESYNC)
    assert then.count(b"data: ") == 1
    assert events.looking == 0


async def test_who_comes_back_is_told_to_load_anew() -> None:
    browser = Events().after("1")
    await anext(browser)

    first = await anext(browser)
    await browser.aclose()

    assert first.startswith(RESYNC)


async def test_frames_that_the_daemon_dropped_mean_to_load_anew() -> None:
    events = Events()
    browser = events.after("")
    await anext(browser)
    events.happened({"events": [], "dropped": 3})

    told = await anext(browser)
    await browser.aclose()

    assert RESYNC in told


async def test_a_view_that_is_left_open_hears_that_somebody_is_there() -> None:
    events = Events(heartbeat=0.01)
    browser = events.after("")
    await anext(browser)

    heard = [await anext(browser) for _ in range(3)]
    events.happened(created(1))
    told = await anext(browser)
    await browser.aclose()

    assert set(heard) == {b": still here\n\n"}
    assert told.count(b"data: ") == 1


async def test_at_the_end_every_browser_is_let_go() -> None:
    events = Events()
    browsers = [events.after("") for _ in range(2)]
    for one in browsers:
        await anext(one)
    events.end()

    rest = [[message async for message in one] for one in browsers]

    assert (rest, events.looking) == ([[], []], 0)


# ---- the process


def test_two_tabs_see_at_once_what_is_learnt_and_forgotten(view: View, browser: Browser) -> None:
    with browser.follow() as one, browser.follow() as other:
        tabs = [iter(one), iter(other)]
        first = [next(tab) for tab in tabs]
        id_ = view.daemon.remember("Deploys are on Tuesdays.")
        view.daemon.ask("forget", ids=[id_])

        seen = [[next(tab)[2] for _ in range(2)] for tab in tabs]

    assert first == [("1", "daemon", {"up": True})] * 2
    assert seen[0] == seen[1]
    assert [one["what"] for one in seen[0]] == ["learnt", "forgotten"]


def test_a_daemon_that_is_killed_and_comes_back_is_told(view: View, browser: Browser) -> None:
    with browser.follow() as events:
        tab = iter(events)
        next(tab)
        view.daemon.kill()
        down = next(tab)
        meanwhile = browser.post("status")
        view.daemon.start()
        back = [next(tab), next(tab)]

    assert down[1:] == ("daemon", {"up": False})
    assert (meanwhile.status, "reverie up" in meanwhile.said["error"]) == (503, True)
    assert [one[1:] for one in back] == [("daemon", {"up": True}), ("resync", {})]
    assert browser.ask("status")["ready"]
