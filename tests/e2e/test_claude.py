"""The main job with the real Claude Code: told in one session, back in the next.

Opt-in: set ``CLAUDE_BIN`` to the client's program (docs/testing.md has the recipe). The
model is a script on loopback; the client, its tools and the hooks are real.
"""

from __future__ import annotations

import json
import secrets

import pytest

from actors.policy.recall.notes import LOST_HEADING, SETTLED, STOPPED_HEADING, SURVIVES
from daemon import hook_answers
from tests.e2e.conftest import Claude, Reverie, Run
from tests.e2e.messages_api import said, used
from toolserver.tools import INSTRUCTIONS

pytestmark = pytest.mark.real_client

QUESTION = "Where is ORDERS_PORT set for make check, and what did we decide about the order events?"


def first_session(claude: Claude, secret: str) -> Run:
    """A decision, a failure, its repair and cause, and a secret that passes by."""
    folder = claude.reverie.folder
    (folder / "Makefile").write_text(
        "check:\n\t@. ./orders.env && test -n \"$$ORDERS_PORT\" || \\\n\t { echo 'Error: ORDERS_PORT is not set' >&2; exit 2; }\n"
    )
    (folder / "orders.env").write_text("ORDERS_HOST=localhost\n")
    (folder / "deploy.env").write_text(f"DEPLOY_TOKEN={secret}\n")
    return claude.run(
        "We decided to use Redis Streams for the order events. Please mend make check.",
        used("Bash", command="make check", description="run the check"),
        used("Read", file_path=str(folder / "orders.env")),
        used("Edit", file_path=str(folder / "orders.env"),
             old_string="ORDERS_HOST=localhost", new_string="ORDERS_HOST=localhost\nORDERS_PORT=7431"),
        used("Bash", command="make check", description="run the check again"),
        used("Bash", command="cat deploy.env", description="look at the deployment"),
        said("make check passes. The root cause was that ORDERS_PORT is not set in orders.env."),
    )  # fmt: skip


def succeeded(run: Run) -> bool:
    """The run ended well, and so did each of its hooks."""
    return run.code == 0 and {outcome for _event, outcome in run.hooks} == {"success"}


@pytest.fixture
def learnt(claude: Claude) -> Claude:
    """A first session has happened, and what it taught is kept."""
    claude.reverie.document("up")
    secret = "ghp_" + secrets.token_hex(18)
    first = first_session(claude, secret)
    claude.reverie.settle()

    assert succeeded(first)
    assert {"UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop"} <= {
        event for event, _outcome in first.hooks
    }
    assert claude.reverie.files_with(secret) == []
    return claude


def test_what_one_session_learns_is_in_the_request_of_the_next(learnt: Claude) -> None:
    second = learnt.run(QUESTION, said("I know both."))

    assert succeeded(second)
    assert STOPPED_HEADING in second.notes[0]
    (note,) = second.recalled
    assert "Redis Streams" in note
    assert len(note) <= 9_500
    # What the agent explained is nobody's memory; it is found when it is looked for.
    passages = learnt.reverie.document("recall", "--passages", "root cause ORDERS_PORT")["passages"]
    assert any("ORDERS_PORT is not set" in one["text"] for one in passages)


def test_a_prompt_about_something_else_is_given_nothing(learnt: Claude) -> None:
    second = learnt.run("Write a haiku about autumn leaves.", said("Red leaves fall."))

    assert succeeded(second)
    assert second.recalled == []


def test_a_resumed_session_is_not_given_the_same_note_twice(learnt: Claude) -> None:
    before = learnt.run(QUESTION, said("I know both."))
    after = learnt.run(QUESTION, said("As I said."), resume=before.session)

    assert succeeded(after)
    assert after.notes == before.notes != []


def test_a_compacted_session_gets_the_note_that_it_lost_at_once(learnt: Claude) -> None:
    before = learnt.run(QUESTION, said("I know both."))
    compacted = learnt.run("/compact", said("They talked."), resume=before.session)
    after = learnt.run(QUESTION, said("Here it is."), resume=before.session)

    learnt.reverie.settle()
    kinds = [e["kind"] for e in learnt.reverie.journal() if e["session"] == before.session]

    assert succeeded(compacted)
    assert {"pre_compact", "post_compact"} <= set(kinds)
    assert succeeded(after)
    # What was being done comes first, then the note; the prompt is not told it once more.
    assert "Redis Streams" in before.notes[-1]
    assert LOST_HEADING in "".join(after.notes)
    assert "Redis Streams" in after.notes[-1]
    assert after.recalled == []


TOOL = "mcp__plugin_reverie_reverie__"


def test_a_note_by_the_agents_own_hand_is_in_the_request_of_the_next_session(
    claude: Claude,
) -> None:
    note = (
        "The order events go through Redis Streams, because Kafka was too heavy for three services."
    )
    claude.reverie.document("up")
    first = claude.run(
        "Let us settle where the order events go.",
        used(TOOL + "remember", kind="decision", text=note),
        used(TOOL + "search", query="where do the order events go"),
        used(TOOL + "open", id="m1"),
        used(TOOL + "intend", text="Tell Ada of the queue", file="src/*.py"),
        used(TOOL + "session"),
        said("Noted."),
    )
    compacted = claude.run("/compact", said("They talked."), resume=first.session)
    second = claude.run("Where do the order events go?", said("To Redis Streams."))

    assert all(succeeded(run) for run in (first, compacted, second))
    shown = json.dumps(first.asked)
    assert INSTRUCTIONS in shown
    assert shown.count("noted by an agent") > 0  # what the search gave back
    assert "It was noted by an agent" in shown  # the reasons of open
    assert "when a file like src/*.py is touched" in shown
    assert r"\"this\":{\"task\":\"Let us settle" in shown  # its hooks told of it
    asked = json.dumps(compacted.asked)
    assert SETTLED in asked
    assert SURVIVES in asked
    assert f"- {note}" in asked.partition(SURVIVES)[2]
    (told,) = second.recalled
    assert note in told


def test_with_the_daemon_killed_the_run_succeeds_and_its_events_arrive(
    learnt: Claude, reverie: Reverie
) -> None:
    reverie.kill()
    second = learnt.run("Please look around.", used("Bash", command="ls"), said("Seen."))
    reverie.document("up")
    reverie.settle()

    assert succeeded(second)
    kinds = [e["kind"] for e in reverie.journal() if e["session"] == second.session]
    assert {"prompt", "tool", "turn_end"} <= set(kinds)


def test_who_switches_notes_off_is_told_so_and_the_model_is_not(claude: Claude) -> None:
    claude.reverie.document("up")
    run = claude.run(".memory off", said("Very well."))

    assert succeeded(run)
    assert hook_answers.OFF in json.dumps(run.messages)
    assert hook_answers.OFF not in json.dumps(run.asked)
