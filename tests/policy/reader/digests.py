"""Sessions by hand for tests of the digest."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from actors.policy.events.events import Event, parsed
from actors.policy.reader.digest import Digest, Heard, Who

DAY = 1_767_225_600.0  # 2026-01-01, UTC
FOLDER = "/home/dev/shop"


class Session:
    """Events of one session as its client reports them, a minute and a number apart."""

    def __init__(self, first_seq: int = 1, at: float = DAY) -> None:
        self.heard: list[Heard] = []
        self._seqs: Iterator[int] = count(first_seq)
        self._at = at

    def event(self, name: str, **fields: Any) -> int:
        """Report an event; its number."""
        raw = {"hook_event_name": name, "session_id": "s1", "cwd": FOLDER, **fields}
        event = parsed("claude", raw)
        assert isinstance(event, Event)
        seq = next(self._seqs)
        self.heard.append(Heard(seq, self._at + 60.0 * len(self.heard), event))
        return seq

    def prompt(self, text: str) -> int:
        return self.event("UserPromptSubmit", prompt=text)

    def answer(self, text: str) -> int:
        return self.event("Stop", last_assistant_message=text)

    def turn(self, prompt: str, answer: str) -> int:
        """Report a prompt and its answer; the prompt's number."""
        seq = self.prompt(prompt)
        self.answer(answer)
        return seq

    def tool(self, name: str, given: Mapping[str, Any], response: object = "") -> int:
        return self.event("PostToolUse", tool_name=name, tool_input=given, tool_response=response)

    def run(self, command: str, output: str = "") -> int:
        return self.tool("Bash", {"command": command}, {"stdout": output, "stderr": ""})

    def failed(self, command: str, error: str) -> int:
        given = {"command": command}
        return self.event("PostToolUseFailure", tool_name="Bash", tool_input=given, error=error)

    def wrote(self, path: str, content: str) -> int:
        return self.tool("Write", {"file_path": f"{FOLDER}/{path}", "content": content})

    def edited(self, path: str, old: str, new: str) -> int:
        given = {"file_path": f"{FOLDER}/{path}", "old_string": old, "new_string": new}
        return self.tool("Edit", given)


def texts(digest: Digest) -> list[tuple[Who, str]]:
    """Tell whose words are shown, and which."""
    return [(one.who, one.text) for one in digest.shown]
