"""Files that events tell of."""

from typing import Any

from actors.policy.events.edits import files_named, files_touched
from actors.policy.events.events import Event, EventKind, Tool


def tool(name: str, kind: EventKind = EventKind.TOOL, output: str = "", **fields: Any) -> Event:
    return Event("claude", kind, "s1", tool=Tool(name, fields, output=output))


def bash(command: str, output: str = "") -> Event:
    return tool("Bash", output=output, command=command)


def test_a_tool_touches_the_file_it_was_given() -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: b.py\n+x\n"

    assert files_touched(tool("Edit", file_path="/p/a.py")) == ("/p/a.py",)
    assert files_touched(tool("apply_patch", patch=patch)) == ("src/a.py", "b.py")
    assert files_touched(tool("Edit", EventKind.TOOL_ERROR, file_path="/p/a.py")) == ()
    assert files_touched(bash("ls")) == ()
    assert files_touched(Event("claude", EventKind.TURN_END)) == ()


def test_a_prompt_names_files() -> None:
    prompt = "look at src/auth/login.py and `README.md`, then https://example.org/x.html or v1.2"

    assert files_named(prompt) == ("src/auth/login.py", "README.md")
    assert files_touched(Event("claude", EventKind.PROMPT, prompt=prompt)) == files_named(prompt)
