"""What events tell of files and branches."""

from typing import Any

import pytest

from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.surroundings import (
    branch_of_head,
    branch_told,
    files_named,
    files_touched,
)


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


@pytest.mark.parametrize(
    ("event", "branch"),
    [
        (bash("git checkout -b feature/x"), "feature/x"),
        (bash("cd /p && git switch -c y origin/y"), "y"),
        (bash("git switch main"), "main"),
        (bash("git --no-pager switch main"), "main"),
        (bash("git checkout main", "Switched to branch 'main'\n"), "main"),
        (bash("git checkout README.md"), None),  # may be a file
        (bash("git switch -"), None),
        (bash("git switch --detach"), None),
        (bash("git status", "On branch release/1.2\nnothing to commit"), "release/1.2"),
        (bash("git commit -m x", "[main 5392fa1] x\n 1 file changed"), "main"),
        (bash("git checkout v1.2", "Note: switching to 'v1.2'.\n"), ""),
        (bash("git -C /other switch main"), None),
        (bash("git log"), None),
        (bash("echo On branch x", "On branch x"), None),
        (tool("Bash", EventKind.TOOL_ERROR, command="git switch main"), None),
        (tool("Edit", file_path="a.py"), None),
        (Event("claude", EventKind.PROMPT, prompt="git switch main"), None),
    ],
)
def test_the_branch_that_a_command_tells(event: Event, branch: str | None) -> None:
    assert branch_told(event) == branch


def test_the_branch_of_a_repository() -> None:
    assert branch_of_head("ref: refs/heads/release/1.2\n") == "release/1.2"
    assert branch_of_head("5392fa1c0ffee") == ""


def test_a_new_branch_is_found_behind_other_flags() -> None:
    assert branch_told(bash("git checkout --quiet -b feature/x main")) == "feature/x"
    assert branch_told(bash("git switch --quiet main")) == "main"
