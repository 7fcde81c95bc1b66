"""A real daemon: before a call a session is told the rules about what it touches."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.process import Daemon, Refusal, prompt, wait_for
from tests.daemon.test_changes import bash
from tests.repositories import laid

RULE = "Never edit src/schema.py by hand: `make schema` writes it."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    laid(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "schema.py").write_text("VERSION = 1\n")
    (tmp_path / "Makefile").write_text("schema:\n\tpython -m shop.schema\n")
    return tmp_path


def before(daemon: Daemon, project: Path, number: int, session: str, **fields: Any) -> str:
    """What the hook before a call prints."""
    event = {"hook_event_name": "PreToolUse", "session_id": session, "cwd": str(project), **fields}
    return daemon.hook(number.to_bytes(16, "big"), event).decode()


def edit(path: Path) -> dict[str, Any]:
    given = {"file_path": str(path), "old_string": "VERSION = 1", "new_string": "VERSION = 2"}
    return {"tool_name": "Edit", "tool_input": given}


def with_rule(daemon: Daemon, project: Path, text: str = RULE) -> None:
    """A rule by hand."""
    daemon.remember(text, project=str(project))


def with_note(daemon: Daemon, project: Path, text: str, **cue: str) -> None:
    """A note of a reader with one cue."""
    cues = [{"kind": kind, "text": said} for kind, said in cue.items()]
    read = {"kind": "trap", "said_by": "agent", "scope": "when", "cues": cues}
    row = {"text": text, "project": str(project), "type": "discovery", "read": read}
    daemon.ask("import", rows=[row], merge=True)


def failed(project: Path, session: str, error: str) -> dict[str, Any]:
    """The event after a command that failed."""
    return {
        "hook_event_name": "PostToolUseFailure", "session_id": session, "cwd": str(project),
        **bash("make serve"), "error": f"Exit code 1\n{error}",
    }  # fmt: skip


def test_a_rule_about_the_file_or_the_command_is_told_once_before_it(
    daemon: Daemon, project: Path
) -> None:
    with_rule(daemon, project)
    file = edit(project / "src" / "schema.py")

    other = before(daemon, project, 1, "first", **edit(project / "src" / "cart.py"))
    told = before(daemon, project, 2, "first", **file)
    again = before(daemon, project, 3, "first", **file)
    command = before(daemon, project, 4, "second", **bash("make schema && git diff"))
    aside = before(daemon, project, 5, "third", **file, agent_id="a1")
    daemon.hook(b"o" * 16, prompt(".memory off", "fourth", str(project)))
    silent = before(daemon, project, 6, "fourth", **file)

    said = json.loads(told)["hookSpecificOutput"]
    assert said["hookEventName"] == "PreToolUse"
    assert RULE in said["additionalContext"]
    assert RULE in json.loads(command)["hookSpecificOutput"]["additionalContext"]
    assert (other, again, aside, silent) == ("", "", "", "")
    assert "PreToolUse" not in {one["kind"] for one in daemon.ask("journal")["events"]}


@pytest.mark.parametrize(
    ("rule", "call", "tells"),
    [
        ("Nothing in vendor/legacy is edited.", edit(Path("vendor/legacy/a/parser.py")), True),
        ("Nothing in vendor/legacy is edited.", edit(Path("vendor/legacy2/parser.py")), False),
        ("Nothing in vendor/legacy is edited.", bash("cat vendor/legacy/parser.py"), False),
        ("Never `git push --force` here.", bash("cd api; git push origin main --force"), True),
        ("Never `git push --force` here.", bash("git push origin main"), False),
        ("Never `git push --force` here.", bash("git commit -m 'no git push --force'"), False),
        ("Never `make deploy` on Fridays.", bash("make deploy-docs"), False),
        ("Never edit vendor/legacy.", bash("cd src; sed -i s/a/b/ ../vendor/legacy/x.py"), True),
        ("Never edit vendor/legacy.", bash("rm -rf vendor/legacy/x"), True),
        ("Never edit vendor/legacy.", bash("git show HEAD:x > vendor/legacy/x"), True),
        ("Never edit vendor/legacy.", bash("grep -r x vendor/legacy > out.txt"), False),
        ("Tell ops before deploy/rollout.sh is run.", bash("timeout 60 ./deploy/rollout.sh"), True),
        ("Tell ops before deploy/rollout.sh is run.", bash("sh deploy/rollout.sh"), True),
        ("Tell ops before deploy/rollout.sh is run.", bash("vim deploy/rollout.sh"), False),
    ],
)
def test_what_a_person_kept_is_told_before_a_call_about_its_folder_or_command(
    clean: Daemon, project: Path, rule: str, call: dict[str, Any], tells: bool
) -> None:
    with_rule(clean, project, rule)
    given = call["tool_input"]
    if "file_path" in given:
        call = edit(project / given["file_path"])

    assert (rule in before(clean, project, 1, f"{rule} {given}", **call)) is tells


def test_a_note_whose_cue_begins_a_command_is_told_once_a_session_and_not_before_a_look(
    daemon: Daemon, project: Path
) -> None:
    trap = "A stash is lost with the sandbox: commit to a branch instead."
    with_note(daemon, project, trap, command="git stash")

    look = before(daemon, project, 1, "first", **bash("git stash list"))
    told = before(daemon, project, 2, "first", **bash("cd src && git stash | cat"))
    again = before(daemon, project, 3, "first", **bash("git stash"))
    other = before(daemon, project, 4, "second", **bash("git stash"))

    assert trap in json.loads(told)["hookSpecificOutput"]["additionalContext"]
    assert (look, again) == ("", "")
    assert trap in other


def test_a_failure_is_told_the_note_with_its_error_once_a_session(
    daemon: Daemon, project: Path
) -> None:
    fix = "Port 8080 is the proxy's: serve on 8081."
    with_note(daemon, project, fix, error="bind: address already in use")
    error = "listen tcp :8080: bind: Address already in use"

    other = daemon.hook(b"1" * 16, failed(project, "first", "no rule to make target")).decode()
    told = daemon.hook(b"2" * 16, failed(project, "first", error)).decode()
    again = daemon.hook(b"3" * 16, failed(project, "first", error)).decode()

    assert fix in json.loads(told)["hookSpecificOutput"]["additionalContext"]
    assert fix not in other + again


def test_what_was_called_not_useful_is_told_neither_before_a_command_nor_at_a_failure(
    daemon: Daemon, project: Path
) -> None:
    fix = "Port 8080 is the proxy's: serve on 8081."
    with_note(daemon, project, fix, error="bind: address already in use", command="make serve")
    before_it = before(daemon, project, 1, "first", **bash("make serve"))
    daemon.ask("feedback", id="m1", useful=False, project=str(project))
    after = before(daemon, project, 2, "second", **bash("make serve"))
    error = failed(project, "second", "bind: address already in use")

    assert fix in before_it
    assert after + daemon.hook(b"3" * 16, error).decode() == ""


def injections(daemon: Daemon) -> list[dict[str, Any]]:
    """Read what the first session was told; nothing as long as it is not known."""
    with suppress(Refusal):
        return list(daemon.ask("injections", session="first")["prompts"])
    return []


def test_injections_say_why_a_call_was_told_a_note_and_what_became_of_it(
    daemon: Daemon, project: Path
) -> None:
    with_note(daemon, project, "Port 8080 is the proxy's: serve on 8081.", error="already in use")
    daemon.hook(b"2" * 16, failed(project, "first", "bind: address already in use"))
    daemon.settled()
    wait_for(lambda: bool(injections(daemon)), daemon.running)

    kept = injections(daemon)
    (one,) = kept[0]["considered"]
    assert (kept[0]["place"], one["fate"]) == ("failure", "told")
    assert (one["reason"], one["characters"]) == ("its error stands in the message", 40)
    assert one["became"] == "nothing yet"


@pytest.mark.parametrize("shell", [False, True])
def test_the_edit_that_a_note_is_told_before_is_no_use_of_it(
    daemon: Daemon, project: Path, shell: bool
) -> None:
    with_rule(daemon, project, "Never edit src/schema.py by hand: port 5433 writes it.")
    call = bash("sed -i s/a/b/ src/schema.py") if shell else edit(project / "src" / "schema.py")
    session = {"session_id": "first", "cwd": str(project)}

    before(daemon, project, 1, "first", **call)
    daemon.hook(b"2" * 16, {**session, "hook_event_name": "PostToolUse", **call})
    stop = {"hook_event_name": "Stop", "last_assistant_message": "Port 5433 should have."}
    daemon.hook(b"3" * 16, session | stop)
    wait_for(lambda: daemon.ask("show", id="m1")["usage"]["cited"] == 1, daemon.running)

    assert daemon.ask("show", id="m1")["memory"]["uses"] == 1
