"""What the spool keeps of an event, and what it never keeps."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.cutting import cut
from actors.policy.secrets.redaction import redacted
from hooks import spool
from hooks.delivery import Event
from tests.hooks.clients import EVENT, Client, Home, files_under
from tests.strangers import MALLORY, file, only_root

AT = 1_795_305_600_000_000_000  # nanoseconds
# Made up, in the shapes that providers publish.
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
PEM = "\n".join(
    ["-----BEGIN PRIVATE KEY-----", *["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2] * 24, "-----END"]
)
SECRETS = {
    "prompt": f"use {TOKEN} please",
    "tool_input": {
        "command": "curl -u ada:correcthorse1 https://example.org",
        "password": "hunter22",
    },
    "tool_response": [{"stdout": f"key:\n{PEM} PRIVATE KEY-----\n"}],
    TOKEN: "as a key",
}


def kept(home: Path, raw: bytes, *, at: int = AT, patient: bool = True) -> Any:
    """The spooled form of an event, as the daemon would read it."""
    event = Event("claude", os.urandom(16), at, raw, len(raw))
    spool.keep(os.fsencode(home), event, monotonic() + (60 if patient else -60))
    (path,) = (home / "spool").glob(f"*-{event.event_id.hex()}.json")
    return json.loads(path.read_bytes())["event"]


def test_no_secret_is_in_the_file_that_a_hook_leaves(client: Client, home: Home) -> None:
    client.run(home, json.dumps({**EVENT, **SECRETS}).encode())

    (path,) = home.spool.iterdir()
    text = path.read_text()
    for secret in (TOKEN, "correcthorse1", "hunter22", "MIIEvQIB"):
        assert secret not in text
    assert text.count("[REDACTED]") >= 4
    assert "example.org" in text


@pytest.mark.parametrize(
    ("agent", "event"),
    [
        ("copilot", {"toolName": "bash", "toolArgs": '{"command": "cat .env"}',
                     "toolResult": {"resultType": "success", "textResultForLlm": "wombat-9"}}),
        ("gemini", {"hook_event_name": "AfterTool", "tool_name": "read_file",
                    "tool_input": {"absolute_path": "/shop/.env"},
                    "tool_response": {"llmContent": "wombat-9", "returnDisplay": "wombat-9"}}),
        ("cursor", {"hook_event_name": "afterShellExecution", "command": "cat .env",
                    "output": "wombat-9"}),
    ],
)  # fmt: skip
def test_what_another_agent_read_of_secrets_is_masked_in_its_own_words(
    home: Home, agent: str, event: dict[str, Any]
) -> None:
    raw = json.dumps(event).encode()
    spooled = Event(agent, os.urandom(16), AT, raw, len(raw))
    spool.keep(os.fsencode(home.root), spooled, monotonic() + 60)

    (path,) = home.spool.iterdir()
    assert json.loads(path.read_text())["agent"] == agent
    assert json.loads(path.read_text())["event"]["hook_event_name"] == "PostToolUse"
    assert "wombat-9" not in path.read_text()


def test_what_a_command_reads_of_secrets_is_not_in_the_file(client: Client, home: Home) -> None:
    event = {
        **EVENT,
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "pass show servers/db"},
        "tool_response": {"stdout": "velvet crow", "stderr": "", "interrupted": False},
    }

    client.run(home, json.dumps(event).encode())

    (kept,) = home.spooled()
    assert kept["event"]["tool_response"]["stdout"] == "[REDACTED]"
    assert kept["event"]["tool_input"]["command"] == "pass show servers/db"


def test_patterns_of_the_users_own_hold_for_the_spool(client: Client, home: Home) -> None:
    (home.root / "config.toml").write_text("[redaction]\npatterns = ['acme_[a-z]+']\n")

    client.run(home, json.dumps({**EVENT, "prompt": "use acme_kiwi"}).encode())

    (kept,) = home.spooled()
    assert kept["event"]["prompt"] == "use [REDACTED]"


@pytest.mark.parametrize("patterns", ["['(a+)+']", "[", "'acme'", "[1]"])
def test_with_patterns_that_cannot_be_read_the_text_is_withheld(
    tmp_path: Path, patterns: str
) -> None:
    (tmp_path / "config.toml").write_text(f"[redaction]\npatterns = {patterns}\n")

    event = kept(tmp_path, json.dumps({**EVENT, "prompt": "use acme_kiwi"}).encode())

    assert event["session_id"] == EVENT["session_id"]
    assert event["withheld"] is True
    assert "acme" not in json.dumps(event)


def test_settings_that_say_nothing_of_patterns_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[gate\nhigh = broken")

    assert kept(tmp_path, b'{"prompt": "a"}') == {"prompt": "a"}


@pytest.mark.parametrize(
    "event",
    [
        {"password": "hunter22xyzk9"},
        {"env": [{"name": "API_TOKEN", "value": "hunter22xyzk9"}]},
        {"args": ["--password", "hunter22xyzk9"]},
        {"nested": {"client_secret": 'hunter22xyzk9"\\'}},
        {"password": {"old": "x", "passwd": "hunter22xyzk9"}},
        {"prompt": "password=hunter22xyzk9 and more"},
    ],
)
def test_the_spool_and_the_daemon_take_the_same_for_a_secret(
    tmp_path: Path, event: dict[str, Any]
) -> None:
    spooled = kept(tmp_path, json.dumps(event).encode())

    assert spooled == cut(event, redacted)[0]
    assert "hunter22" not in json.dumps(spooled)


def test_a_header_that_is_a_secret_by_its_name_is_redacted(tmp_path: Path) -> None:
    headers = {"Authorization": "Basic aHVudGVyMjI=", "Accept": "text/plain"}

    spooled = kept(tmp_path, json.dumps({"headers": headers}).encode())

    assert spooled == {"headers": {"Authorization": "Basic [REDACTED]", "Accept": "text/plain"}}


def test_a_long_string_keeps_both_ends_and_says_how_much_is_gone(tmp_path: Path) -> None:
    text = "first " + "word " * 10_000 + "last"

    prompt = kept(tmp_path, json.dumps({"prompt": text}).encode())["prompt"]

    head, mark, tail = prompt.split("\n")
    assert head == text[: spool.END]
    assert tail == text[-spool.END :]
    assert mark == f"[… {len(text) - 2 * spool.END} characters left out …]"
    assert len(prompt) <= 16 * 1024


@pytest.mark.parametrize(
    "raw",
    [
        *(b"not JSON", b"", b'{"a": ', b"[1, 2]", b'"text"', b'{"a": NaN}', b"[" * 100_000),
        b'{"session_id":"s1","a":[' + b"{}," * 600_000 + b"1]}",
    ],
    ids=lambda raw: raw[:30],
)
def test_what_is_no_json_object_is_kept_as_its_size(tmp_path: Path, raw: bytes) -> None:
    assert kept(tmp_path, raw) == {"size": len(raw), "withheld": True}


def test_an_event_whose_name_is_no_text_is_kept(client: Client, home: Home) -> None:
    done = client.run(home, json.dumps({**EVENT, "hook_event_name": ["Stop"]}).encode())

    assert done.stderr == b""
    assert len(list(home.spool.iterdir())) == 1


def test_what_is_nested_too_deep_is_withheld(tmp_path: Path) -> None:
    raw = b'{"session_id":"s1","a":' + b"[" * 900 + b'"secret"' + b"]" * 900 + b"}"

    event = kept(tmp_path, raw)

    assert event == {"session_id": "s1", "size": len(raw), "withheld": True}


def test_an_event_that_takes_too_long_keeps_ids_tool_folder_and_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "LEAST_TIME", 0.0)
    event = {
        "session_id": "s-1",
        "cwd": "/home/ada/engine",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": "a name, not an id",
        "agent_id": TOKEN,
        "tool_response": {"stdout": "the text"},
    }
    raw = json.dumps(event).encode()

    withheld = kept(tmp_path, raw, patient=False)

    assert withheld == {
        "session_id": "s-1",
        "cwd": "/home/ada/engine",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "agent_id": "[REDACTED]",
        "size": len(raw),
        "withheld": True,
    }


def test_an_event_of_too_many_strings_is_withheld(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "LARGEST_FILE", 1000)

    event = kept(tmp_path, json.dumps({"session_id": "s", "lines": ["word"] * 200}).encode())

    assert (event["session_id"], event["withheld"]) == ("s", True)


def test_odd_text_is_kept_in_a_form_that_every_reader_takes(tmp_path: Path) -> None:
    raw = b'{"lone":"a\\ud800b","pair":"\\ud83d\\ude00","nul":"a\x00b","bad":"\xff","n":1.5}'

    event = kept(tmp_path, raw)

    assert event == {"lone": "a\ufffdb", "pair": "😀", "nul": "a\ufffdb", "bad": "\ufffd", "n": 1.5}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(" abcäж\n\t", max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=3), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text("abcxyz", max_size=5), json_values, max_size=5))
def test_what_holds_no_secret_is_kept_as_it_was(event: dict[str, Any]) -> None:
    content = spool._content(  # pyright: ignore[reportPrivateUsage] - without the disk
        Event("claude", bytes(16), AT, b"", 0),
        event,
        lambda text: (text, []),
        lambda event: event,
        lambda: True,
    )

    assert json.loads(content)["event"] == event


def test_the_names_of_files_sort_as_the_events_came(tmp_path: Path) -> None:
    for at in (AT, 9, AT + 1):
        kept(tmp_path, b"{}", at=at)

    names = sorted(path.name for path in (tmp_path / "spool").iterdir())

    assert [int(name.split("-")[0]) for name in names] == [9, AT, AT + 1]
    assert all(re.fullmatch(r"\d{20}-[0-9a-f]{32}\.json", name) for name in names)


def test_files_are_the_users_alone(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"

    kept(home, b"{}")

    (path,) = (home / "spool").iterdir()
    modes = [entry.stat().st_mode & 0o777 for entry in (home, home / "spool", path)]
    assert modes == [0o700, 0o700, 0o600]


@pytest.mark.parametrize(
    "bounds",
    [{"MOST_FILES": 2}, {"LARGEST_FILE": 1000, "MOST_BYTES": 1000}],
    ids=["of files", "of bytes"],
)
def test_a_spool_of_too_many_keeps_them_and_drops_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bounds: dict[str, int]
) -> None:
    for name, bound in bounds.items():
        monkeypatch.setattr(spool, name, bound)
    for _ in range(2):
        kept(tmp_path, json.dumps({"text": "a word " * 80}).encode())
    before = files_under(tmp_path)

    spool.keep(os.fsencode(tmp_path), Event("claude", bytes(16), AT, b"{}", 2), monotonic())

    assert files_under(tmp_path) == before


@pytest.mark.parametrize("bound", ["MOST_FILES", "MOST_BYTES"])
def test_what_is_no_event_does_not_fill_the_spool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(spool, "LARGEST_FILE", spool.MOST_BYTES)  # sizes are asked for
    monkeypatch.setattr(spool, bound, 1000 if bound == "MOST_BYTES" else 2)
    kept(tmp_path, b'{"n":1}')
    for name in (".1-ab.json.tmp", "2-cd.json.unreadable", "notes.txt"):
        (tmp_path / "spool" / name).write_bytes(b"x" * 1000)

    assert kept(tmp_path, b'{"n":2}') == {"n": 2}


@only_root
def test_what_another_user_left_does_not_fill_the_spool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_FILES", 1)
    (tmp_path / "spool").mkdir()
    file(tmp_path / "spool" / "1-ab.json", "x", user=MALLORY)

    assert kept(tmp_path, b'{"n":1}') == {"n": 1}


def test_a_spool_that_is_being_drained_takes_the_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "LARGEST_FILE", spool.MOST_BYTES // 2)  # sizes are asked for
    kept(tmp_path, b'{"n":1}')
    kept(tmp_path, b'{"n":2}')
    # As a file that left between the listing and the look at its size.
    (tmp_path / "spool" / "gone.json").symlink_to(tmp_path / "nothing")

    assert kept(tmp_path, b'{"n":3}') == {"n": 3}


def test_a_policy_that_fails_withholds_the_text() -> None:
    def broken(text: str) -> tuple[str, list[str]]:
        raise NameError(text)

    raw = json.dumps({"session_id": "s-1", "prompt": "the text"}).encode()
    content = spool._content(  # pyright: ignore[reportPrivateUsage] - the policy is an argument here
        Event("claude", bytes(16), AT, raw, len(raw)),
        json.loads(raw),
        broken,
        lambda event: event,
        lambda: True,
    )

    assert json.loads(content)["event"] == {"size": len(raw), "withheld": True}
