"""The load: an agent's events and a person's commands, each by chance."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from lab.soak.account import GROWS, STAYS, YARDSTICK, Account
from lab.soak.stand import Stand
from tests.daemon.process import Gone, Line, Refusal

SUBJECTS: Final = "queue billing cache login report search upload invoice worker schema".split()
LANDMARK: Final = "lighthouse"  # in the memories that stay and in nothing else
STAYING: Final = 40
FACTS: Final = "listens on port|waits at most seconds|keeps rows of age|retries times".split("|")


def statement(chance: Random, mark: str, *subjects: str) -> str:
    """Something worth keeping about one of these, with the mark in it."""
    subject, fact = chance.choice(subjects or SUBJECTS), chance.choice(FACTS)
    return f"The {subject} {mark} {fact} {chance.randrange(9999)}."


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


def report(chance: Random, stand: Stand, account: Account) -> None:
    """Act as an agent: one event by the script, or ten on one connection."""
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
                mark, began = account.mark(), time.monotonic()
                line.hook(secrets.token_bytes(16), event(chance, stand, mark))
                account.took("event", time.monotonic() - began)
                account.events.add(mark)
                account.done["hook frame"] += 1
            account.took(GROWS, asked(line, chance.choice(SUBJECTS)))
            account.took(STAYS, asked(line, LANDMARK))
        began = time.monotonic()
        subprocess.run([sys.executable, "-S", "-c", ""], check=True)
        account.took(YARDSTICK, time.monotonic() - began)
    except (Gone, FileNotFoundError):
        time.sleep(0.1)  # it was killed: nothing was acknowledged
    except Refusal as refusal:
        account.refused[f"frame: {refusal}"[:160]] += 1


def asked(line: Line, subject: str) -> float:
    """Seconds for five memories about it. Raises ``AssertionError`` when others or fewer come."""
    began = time.monotonic()
    found = line.ask("recall", query=subject, k=5)["results"]
    took = time.monotonic() - began
    if subject == LANDMARK:
        assert sum(subject in one["text"] for one in found) == 5, "what stays was not found"
    return took


def _remember(chance: Random, stand: Stand, account: Account) -> None:
    mark = account.mark()
    done = stand.run("remember", statement(chance, mark), "--new", "--json", place=2)
    if account.ended(done):
        account.ids[mark] = json.loads(done.output)["id"]
        account.stored.add(mark)


def _erase(chance: Random, stand: Stand, account: Account) -> None:
    if account.ids:
        mark = chance.choice(sorted(account.ids))
        memory = account.ids.pop(mark)
        account.stored.discard(mark)  # also if it fails: it may be done all the same
        if account.ended(stand.run("forget", "--erase", "--yes", memory)):
            account.erased.add(mark)


def settle(chance: Random, stand: Stand, account: Account) -> None:
    """Store what stays: no other text has its subject, and nothing takes it away."""
    _rows(STAYING, LANDMARK, chance, stand, account)


def _import(chance: Random, stand: Stand, account: Account) -> None:
    _rows(20, "", chance, stand, account)


def _rows(count: int, subject: str, chance: Random, stand: Stand, account: Account) -> None:
    marks = [account.mark() for _ in range(count)]
    file = stand.folder / "rows.jsonl"
    subjects = [subject] if subject else []
    rows = [{"key": mark, "text": statement(chance, mark, *subjects)} for mark in marks]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if account.ended(stand.run("import", str(file), "--no-gate", "--no-embed", "--json")):
        account.stored.update(marks)


def _elsewhere(chance: Random, stand: Stand, account: Account) -> None:
    mark = account.mark()
    words = ("remember", statement(chance, mark), "--new", "--json")
    if account.ended(stand.run(*words, home=stand.second)):
        account.abroad.add(mark)


def _configure(chance: Random, stand: Stand, account: Account) -> None:
    stand.configure(stand.home, chance.choice((500, 1000, 2000, 4000)))
    account.ended(stand.run("config", "--json"))


def _command(*words: str) -> Callable[[Random, Stand, Account], None]:
    def run(chance: Random, stand: Stand, account: Account) -> None:
        account.ended(stand.run(*words, place=chance.randrange(3)))

    return run


ACTS: Final[tuple[tuple[int, Callable[[Random, Stand, Account], None]], ...]] = (
    (8, _remember), (3, _erase), (1, _import), (2, _elsewhere), (1, _configure),
    (4, _command("recall", "which queue waits", "--json")), (1, _command("recall", "port", "--all")),
    (1, _command("dream", "--now", "--json")), (1, _command("export", "../out.jsonl")),
    (1, _command("backup", "now", "--json")), (1, _command("consolidate", "--json")),
    (2, _command("status", "--json")), (1, _command("list", "--json")), (1, _command("doctor")),
)  # fmt: skip


def act(chance: Random, stand: Stand, account: Account) -> None:
    """Act as a person: one command."""
    weights = [weight for weight, _ in ACTS]
    chance.choices([act for _, act in ACTS], weights)[0](chance, stand, account)
