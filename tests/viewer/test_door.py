"""Who comes in: forged names, other sites, other users, tokens and cookies."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import ExitStack, suppress

import pytest

from tests.daemon.process import Daemon
from tests.patience import PATIENCE
from tests.viewer.browser import Browser, View
from viewer.exchange import Door, Request
from viewer.serve import AT_MOST, are_told, owner

NOBODY = 65534
ONLY_ROOT_OF_LINUX = pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="another user's process needs root"
)


def asked(door: Door, headers: dict[str, str], **query: str) -> int:
    """The status of what the door answers; 0: who asks is in."""
    named = {"host": f"127.0.0.1:{door.port}", **headers}
    answer = door.answer(Request("GET", "/", query, named))
    return answer.status if answer is not None else 0


def opened(door: Door) -> str:
    """The cookie of who comes in by the token."""
    request = Request("GET", "/", {"token": door.token}, {"host": f"127.0.0.1:{door.port}"})
    answer = door.answer(request)
    assert answer is not None
    return answer.headers["set-cookie"].partition(";")[0]


def test_the_token_opens_once_and_gives_a_cookie_that_no_script_reads() -> None:
    door = Door(7)
    request = Request("GET", "/", {"token": door.token}, {"host": "localhost:7"})

    first, second = door.answer(request), door.answer(request)

    assert first is not None
    assert second is not None
    assert (first.status, first.headers["location"], second.status) == (303, "/", 403)
    assert first.headers["set-cookie"].endswith("; HttpOnly; SameSite=Strict; Path=/")


@pytest.mark.parametrize("method", ["HEAD", "POST"])
def test_who_only_looks_whether_the_address_leads_anywhere_uses_no_token_up(method: str) -> None:
    door = Door(7)
    headers = {"host": "127.0.0.1:7"}

    looked = door.answer(Request(method, "/", {"token": door.token}, headers))
    came = asked(door, {}, token=door.token)

    assert looked is not None
    assert (looked.status, came) == (403, 303)


def test_who_is_in_may_follow_the_address_again_and_uses_no_token_up() -> None:
    door = Door(7)
    token = door.token
    cookie = opened(door)

    again = asked(door, {"cookie": cookie}, token=token)

    assert again == 303


def test_a_page_to_begin_with_is_a_word_and_nothing_else() -> None:
    doors = [Door(7), Door(7)]
    pages = ["inbox", "//evil.example"]

    places = [
        answer.headers["location"]
        for door, page in zip(doors, pages, strict=True)
        if (answer := door.answer(Request(
            "GET", "/", {"token": door.token, "page": page}, {"host": "127.0.0.1:7"}
        ))) is not None
    ]  # fmt: skip

    assert places == ["/#inbox", "/"]


@pytest.mark.parametrize(
    "forged",
    [
        {"host": "evil.example:7"},
        {"host": "127.0.0.1:8"},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:7, evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:8"},
        {"origin": "https://127.0.0.1:7"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_name_or_site_stays_out_even_with_the_cookie_and_uses_no_token_up(
    forged: dict[str, str],
) -> None:
    door, fresh = Door(7), Door(7)
    cookie = opened(door)

    outside = asked(door, {"cookie": cookie, **forged})
    with_token = asked(fresh, forged, token=fresh.token)

    assert (outside, with_token, bool(fresh.token)) == (403, 403, True)


@pytest.mark.parametrize("cookie", ["", "reverie-7=", "reverie-8=x", "a=b; c"])
def test_without_the_cookie_nobody_is_in(cookie: str) -> None:
    door = Door(7)
    opened(door)

    status = asked(door, {"cookie": cookie})

    assert status == 403


def test_with_the_cookie_one_is_in_among_the_cookies_of_other_ports() -> None:
    door = Door(7)
    cookie = opened(door)

    status = asked(
        door,
        {
            "cookie": f"reverie-8=x; {cookie}",
            "origin": "http://localhost:7",
            "sec-fetch-site": "none",
        },
    )

    assert status == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the owner of a socket")
def test_the_kernel_tells_whose_connection_it_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        knows = are_told(listening)
        with socket.create_connection(listening.getsockname()) as ours:
            told = owner(ours.getsockname(), listening.getsockname())
            unknown = owner(("127.0.0.1", 1), listening.getsockname())

    assert (knows, told, unknown) == (True, os.getuid(), None)


# ---- the process


@ONLY_ROOT_OF_LINUX
def test_another_users_process_stays_out_with_the_address_and_with_the_cookie(
    view: View, browser: Browser
) -> None:
    raw = (
        f"POST /api/status HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\nCookie: {browser.cookie}\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )

    os.seteuid(NOBODY)  # a socket belongs to who made it
    try:
        theirs = socket.create_connection(("127.0.0.1", view.port), PATIENCE)
    finally:
        os.seteuid(0)
    said = b""
    with theirs, suppress(ConnectionError):
        theirs.sendall(raw.encode())
        said = theirs.recv(1)

    assert said == b""


@ONLY_ROOT_OF_LINUX
def test_connections_that_another_user_holds_take_nobodys_place(
    view: View, browser: Browser
) -> None:
    with ExitStack() as held:
        os.seteuid(NOBODY)
        try:
            for _ in range(AT_MOST):
                held.enter_context(socket.create_connection(("127.0.0.1", view.port), PATIENCE))
        finally:
            os.seteuid(0)

        status = browser.post("status").status

    assert status == 200


def test_a_stranger_gets_one_line_and_no_page(view: View, browser: Browser) -> None:
    stranger = Browser(view.port)

    found = [stranger.get(path) for path in ("/", view.path, "/index.html")]
    asked_ = [stranger.get("/api/events"), stranger.post("inbox")]

    assert {one.status for one in (*found, *asked_)} == {403}
    assert all(one.headers["content-type"].startswith("text/plain") for one in found)
    assert all(one.body.startswith(b"reverie: ") and one.body.count(b"\n") == 1 for one in found)
    assert all(set(one.said) == {"error"} and "\n" not in one.said["error"] for one in asked_)


def test_every_answer_lets_nothing_in_from_elsewhere(view: View, browser: Browser) -> None:
    answers = [browser.get("/nothing"), browser.post("status"), Browser(view.port).get("/")]

    for one in answers:
        assert one.headers["content-security-policy"].startswith("default-src 'none'; ")
        assert "unsafe" not in one.headers["content-security-policy"]
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["referrer-policy"] == "no-referrer"
        assert not [name for name in one.headers if name.startswith("access-control")]


def test_it_ends_at_a_signal_with_browsers_that_look(shared: Daemon) -> None:
    one = View(shared).start("--page", "inbox")
    with one.browser().follow() as events:
        first = next(iter(events))

        code, said = one.end(signal.SIGINT)

    assert first[1:] == ("daemon", {"up": True})
    assert (code, said) == (130, "")
