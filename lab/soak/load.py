"""The load: an agent's events, a person's commands and an editor's requests, each by chance."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

from daemon.launch import own_command
from lab.benchmarks import editors
from lab.soak.stand import HANGS, Stand
from tests.daemon.process import Gone, Line, Refusal

SUBJECTS: Final = "queue billing cache login report search upload invoice worker schema".split()
FACTS: Final = "listens on port|waits at most seconds|keeps rows of age|retries times".split("|")

Act = Callable[[Random], None]


def statement(chance: Random, mark: str) -> str:
    """Something worth keeping, with the mark in it."""
    subject, fact = chance.choice(SUBJECTS), chance.choice(FACTS)
    return f"The {subject} {mark} {fact} {chance.randrange(9999)}."


# ---- an agent's hooks


def event(chance: Random, stand: Stand, mark: str) -> dict[str, Any]:
    """A hook's event of one of six sessions; its ``prompt_id`` is the mark."""
    common = {
        "session_id": f"soak-{chance.randrange(6)}", "prompt_id": mark,
        "cwd": str(chance.choice(stand.places)),
    }  # fmt: skip
    words = statement(chance, mark)
    of_a_tool = {
        "tool_name": "Bash", "tool_use_id": mark, "tool_input": {"command": f"pytest -k {mark}"},
    }  # fmt: skip
    kinds: list[dict[str, Any]] = [
        {"hook_event_name": "UserPromptSubmit", "prompt": f"Remember: {words}"},
        {"hook_event_name": "UserPromptSubmit", "prompt": f"Why does {words} fail?"},
        {"hook_event_name": "PostToolUse", **of_a_tool, "tool_response": {"stdout": words * 40}},
        {"hook_event_name": "PostToolUseFailure", **of_a_tool, "error": f"Error: {words}"},
        {"hook_event_name": "Stop", "last_assistant_message": f"I found that {words}"},
        {"hook_event_name": "SessionStart", "source": f"startup{mark}"},
    ]
    return common | chance.choice(kinds)


def report(chance: Random, stand: Stand) -> None:
    """Act as an agent: one event by the script, or ten on one connection."""
    account = stand.account
    if chance.random() < 0.4:
        mark = account.mark()
        if stand.hook(event(chance, stand, mark)) == 0:
            account.events.add(mark)
        else:
            account.violation("a hook's script did not end with 0")
        account.done["hook script"] += 1
        return
    try:
        with Line(stand.home) as line:
            for _ in range(10):
                mark = account.mark()
                line.hook(secrets.token_bytes(16), event(chance, stand, mark))
                account.events.add(mark)
                account.done["hook frame"] += 1
    except (Gone, FileNotFoundError):
        time.sleep(0.1)  # it was killed: nothing was acknowledged
    except Refusal as refusal:
        account.refused[f"frame: {refusal}"[:160]] += 1


# ---- a person's commands


def _remember(chance: Random, stand: Stand) -> None:
    mark = stand.account.mark()
    done = stand.act("remember", statement(chance, mark), "--new", "--json", place=2)
    if done is not None:
        stand.account.ids[mark] = json.loads(done)["id"]
        stand.account.stored.add(mark)


def _erase(chance: Random, stand: Stand) -> None:
    account = stand.account
    if account.ids:
        mark = chance.choice(sorted(account.ids))
        memory = account.ids.pop(mark)
        account.stored.discard(mark)  # also if it fails: it may be done all the same
        if stand.act("forget", "--erase", "--yes", memory) is not None:
            account.erased.add(mark)


def _import(chance: Random, stand: Stand) -> None:
    marks = [stand.account.mark() for _ in range(20)]
    file = stand.folder / "rows.jsonl"
    rows = [{"key": mark, "text": statement(chance, mark)} for mark in marks]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if stand.act("import", str(file), "--no-gate", "--no-embed", "--json") is not None:
        stand.account.stored.update(marks)


def _command(*words: str) -> Callable[[Random, Stand], object]:
    return lambda chance, stand: stand.act(*words, place=chance.randrange(3))


ACTS: Final[tuple[tuple[int, Callable[[Random, Stand], object]], ...]] = (
    (8, _remember), (3, _erase), (1, _import),
    (4, _command("recall", "which queue waits", "--json")), (1, _command("recall", "port", "--all")),
    (1, _command("dream", "--now", "--json")), (1, _command("export", "../out.jsonl")),
    (1, _command("backup", "now", "--json")),
    (2, _command("status", "--json")), (1, _command("list", "--json")), (1, _command("doctor")),
)  # fmt: skip


def act(chance: Random, stand: Stand) -> None:
    """Act as a person: one command."""
    weights = [weight for weight, _ in ACTS]
    chance.choices([act for _, act in ACTS], weights)[0](chance, stand)


# ---- an editor, which lives long


@contextmanager
def editing(stand: Stand) -> Generator[Act]:
    """A language server on this home; the yielded function edits and asks."""
    command = [*own_command(), "lsp"]
    with (
        (stand.folder / "lsp.err").open("ab") as errors,
        editors.editor(stand.environ, command, folder=stand.places[0], errors=errors) as (
            editor,
            running,
        ),
    ):
        editor.initialize()
        uri = (stand.places[0] / "queue.py").as_uri()
        editor.open(uri, "\n".join(f"# the {subject} waits" for subject in SUBJECTS))
        version = 1

        def use(chance: Random) -> None:
            nonlocal version
            version += 1
            line = chance.randrange(len(SUBJECTS))
            editor.type(uri, version, line, 0, 0, "# ")
            editor.hover(uri, line, 6)
            editor.hints(uri, len(SUBJECTS))
            stand.account.done["language server"] += 1

        yield use
        editor.leave()
        if running.wait(HANGS) != 0:
            stand.account.violation(f"the language server ended with {running.returncode}")
