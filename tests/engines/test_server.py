"""The engine ``http``, before a server on loopback that answers as it is told."""

import json
import threading
from collections.abc import Generator
from http.client import HTTPConnection
from typing import Any

import pytest
import trio
from msgspec.structs import replace

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from daemon.engines.documents import bounded
from daemon.engines.server import BadAddress, http_engine, server
from tests.engines.conftest import reason_of
from tests.engines.scripted_server import Scripted, scripted_server
from tests.patience import PATIENCE

NOTES: dict[str, Any] = {"notes": [], "stopped": "at the port"}


@pytest.fixture
def script() -> Generator[Scripted]:
    """The server."""
    with scripted_server() as made:
        yield made


def completion(content: Any, **more: Any) -> dict[str, Any]:
    """A chat completion with this content."""
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return {
        "choices": [{**choice, **more}],
        "usage": {"prompt_tokens": 90, "completion_tokens": 10},
    }


async def happened(event: threading.Event) -> bool:
    """Tell whether the server's thread set the event, within a test's patience."""
    return await trio.to_thread.run_sync(event.wait, PATIENCE)


async def test_chat_completions_are_asked_with_the_schema(
    script: Scripted, request_of_session: Request
) -> None:
    script.say(completion(json.dumps(NOTES)))

    answer = await http_engine(server(script.url), model="small")(request_of_session)

    assert answer == Answer(NOTES, 100)
    ((path, body),) = script.asked
    assert path == "/v1/chat/completions"
    assert body["model"] == "small"
    assert body["response_format"]["json_schema"]["schema"] == bounded(request_of_session.schema)
    assert body["messages"][0] == {"role": "system", "content": request_of_session.system}
    assert request_of_session.text in body["messages"][1]["content"]


async def test_ollama_is_asked_with_the_schema_and_room_for_the_session(
    script: Scripted, request_of_session: Request
) -> None:
    message = {"role": "assistant", "content": json.dumps(NOTES)}
    script.say({"message": message, "prompt_eval_count": 70, "eval_count": 5})
    large = replace(request_of_session, text="x" * 24_000)

    answer = await http_engine(server(f"{script.url}/api/chat"), model="small")(large)

    assert answer == Answer(NOTES, 75)
    ((path, body),) = script.asked
    assert path == "/api/chat"
    assert body["format"] == bounded(request_of_session.schema)
    assert body["options"]["num_ctx"] >= 6_000 + 4_000


@pytest.mark.parametrize(
    ("end", "models", "path"),
    [
        ("", {"data": [{"id": "first"}]}, "/v1/models"),
        ("/v1", {"data": [{"id": "first"}]}, "/v1/models"),
        ("/api/chat", {"models": [{"name": "first"}]}, "/api/tags"),
    ],
)
async def test_without_a_model_the_servers_first_is_asked(
    end: str, models: Any, path: str, script: Scripted, request_of_session: Request
) -> None:
    script.models = json.dumps(models).encode()
    script.say({**completion(json.dumps(NOTES)), "message": {"content": json.dumps(NOTES)}})

    answer = await http_engine(server(script.url + end))(request_of_session)

    assert isinstance(answer, Answer)
    assert script.asked[0] == (path, None)
    assert script.asked[1][1]["model"] == "first"


@pytest.mark.parametrize(
    ("document", "status", "reason"),
    [
        (completion(None), 200, Reason.EMPTY),
        (completion("null"), 200, Reason.EMPTY),
        (completion("Here you are: none."), 200, Reason.FOREIGN),
        (completion('{"notes": [', finish_reason="length"), 200, Reason.TOO_LONG),
        ({"hello": "world"}, 200, Reason.FOREIGN),
        ([], 200, Reason.FOREIGN),
        ({"error": {"message": "Rate limit reached"}}, 429, Reason.LIMIT),
        ({"error": {"message": "Incorrect API key provided"}}, 401, Reason.LOGGED_OUT),
        ({"error": "model 'small' not found"}, 404, Reason.NO_MODEL),
        ({"error": {"message": "Loading model"}}, 503, Reason.OFFLINE),
        ({"error": {"message": "the request exceeds the context"}}, 400, Reason.DIED),
    ],
)
async def test_a_bad_answer_is_a_failure_with_its_reason(
    document: Any, status: int, reason: Reason, script: Scripted, request_of_session: Request
) -> None:
    script.say(document, status)

    answer = await http_engine(server(script.url), model="small")(request_of_session)

    assert reason_of(answer) == reason


async def test_json_in_a_fence_of_code_is_read(
    script: Scripted, request_of_session: Request
) -> None:
    script.say(completion(f"```json\n{json.dumps(NOTES)}\n```"))

    answer = await http_engine(server(script.url), model="small")(request_of_session)

    assert isinstance(answer, Answer)
    assert answer.document == NOTES


async def test_an_answer_without_end_is_cut_off(
    script: Scripted, request_of_session: Request
) -> None:
    script.body = b"x" * 50_000_000

    answer = await http_engine(server(script.url), model="small")(request_of_session)

    assert reason_of(answer) == Reason.TOO_LONG
    assert await happened(script.gone)


async def test_another_host_is_not_followed_to(
    script: Scripted, request_of_session: Request
) -> None:
    script.status, script.headers = 307, {"location": f"{script.url}/elsewhere"}

    answer = await http_engine(server(script.url), model="small")(request_of_session)

    assert isinstance(answer, Failed)
    assert len(script.asked) == 1


async def test_a_server_that_is_not_there_is_offline(request_of_session: Request) -> None:
    answer = await http_engine(server("http://127.0.0.1:9"), model="small")(request_of_session)

    assert reason_of(answer) == Reason.OFFLINE


async def test_a_server_that_thinks_too_long_is_late_and_hung_up_on(
    script: Scripted, request_of_session: Request
) -> None:
    script.hangs = True

    engine = http_engine(server(script.url), model="small", seconds=0.2)
    answer = await engine(request_of_session)

    assert reason_of(answer) == Reason.LATE
    if script.arrived.is_set():  # a busy machine may be late before
        assert await happened(script.gone)


async def test_cancelling_hangs_up(script: Scripted, request_of_session: Request) -> None:
    script.hangs = True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(http_engine(server(script.url), model="small"), request_of_session)
        assert await happened(script.arrived)
        nursery.cancel_scope.cancel()

    assert await happened(script.gone)


async def test_who_gave_up_while_connecting_sends_nothing(
    script: Scripted, request_of_session: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session goes to no server after its reading was cancelled."""
    begun, goes_on, closed = threading.Event(), threading.Event(), threading.Event()
    connect, close = HTTPConnection.connect, HTTPConnection.close

    def slowly(line: HTTPConnection) -> None:
        begun.set()
        goes_on.wait(PATIENCE)
        connect(line)

    def shut(line: HTTPConnection) -> None:
        close(line)
        if goes_on.is_set():
            closed.set()

    monkeypatch.setattr(HTTPConnection, "connect", slowly)
    monkeypatch.setattr(HTTPConnection, "close", shut)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(http_engine(server(script.url), model="small"), request_of_session)
        assert await happened(begun)
        nursery.cancel_scope.cancel()
    goes_on.set()

    assert await happened(closed)
    assert script.asked == []


@pytest.mark.parametrize(
    ("url", "address", "is_loopback"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions", True),
        ("localhost:11434", "http://localhost:11434/api/chat", True),
        ("http://[::1]:1234/v1/", "http://[::1]:1234/v1/chat/completions", True),
        ("https://models.example.com", "https://models.example.com:443/v1/chat/completions", False),
        ("http://192.168.1.5:11434/api/chat", "http://192.168.1.5:11434/api/chat", False),
    ],
)
def test_an_address_says_where_its_chat_is(url: str, address: str, is_loopback: bool) -> None:
    there = server(url)

    assert there.address == address
    assert there.is_loopback == is_loopback


@pytest.mark.parametrize(
    "url", ["ftp://example.com", "http://", "http://me:word@example.com", "http://h:99999", "h?k=1"]
)
def test_what_is_no_address_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(BadAddress):
        server(url)
