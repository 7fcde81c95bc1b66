"""A soak: ``python -m lab.soak --minutes 60``; Linux only.

A real daemon without vectors in a short home, under events of six sessions, commands of a person, and a fault
every few seconds, all by chance. Every two minutes all is still, and what was promised is looked at: acknowledged
is stored once, erased is in no file, nothing grows without a bound.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

import apsw
import msgpack

from daemon.home import Home
from daemon.launch import own_command
from daemon.lock import holder
from daemon.storage.database.sql import Sql
from lab.benchmarks.instruments import Process
from tests.daemon.process import Gone, Line, Refusal
from tests.holders import holders

ROUND: Final = 120.0  # seconds between two looks
HANGS: Final = 240.0  # seconds after which a command counts as hung: the machine may be busy
SETTLED: Final = 60.0  # seconds for what is undone and spooled
HOOK: Final = Path(__file__).resolve().parents[1] / "hooks" / "hook.sh"
SUBJECTS: Final = "queue billing cache login report search upload invoice worker schema".split()
MEMORY: Final = 256.0  # MB without a file behind them, at most; a fresh daemon has 58
DESCRIPTORS: Final = 64  # of a daemon that nobody asks, at most; a fresh one has 19
OTHERS: Final = (
    ("recall", "which queue waits", "--json"), ("dream", "--now", "--json"), ("backup", "now", "--json"),
    ("export", "../out.jsonl"), ("status", "--json"), ("list", "--json"),
)  # fmt: skip
chance = SystemRandom()


class Stand:
    """A home, a project, and the account of what happened there; threads write to it."""

    def __init__(self, folder: Path) -> None:
        self.home = Home(folder / "h")
        self.home.prepare()
        self.home.config.write_text("[embedding]\nenabled = false\n", encoding="utf-8")
        self.place = folder / "shop"
        self.place.mkdir()
        self.environ = {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder), "LANG": "C.UTF-8", "REVERIE_HOME": str(self.home.root),
        }  # fmt: skip
        self.events: set[str] = set()  # marks that were acknowledged
        self.ids: dict[str, str] = {}  # of memories, by their marks
        self.erased: set[str] = set()  # marks
        self.done: Counter[str] = Counter()
        self.violations: dict[str, None] = {}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run ``reverie`` to its end: with 0, or with 1 and one line of reason, else it is a violation."""
        done = subprocess.run(
            [*own_command(), *words], cwd=self.place, env=self.environ, text=True, errors="replace",
            stdin=subprocess.DEVNULL, capture_output=True, timeout=HANGS, check=False,
        )  # fmt: skip
        reasons = [line for line in done.stderr.splitlines() if line.startswith("reverie: ")]
        if done.returncode and (done.returncode != 1 or len(reasons) != 1):
            self.violations[f"{words[0]} ended with {done.returncode}: {done.stderr[-300:]}"] = None
        self.done[f"{words[0]}{' refused' if done.returncode else ''}"] += 1
        return done


# ---- the load


def statement(word: str) -> str:
    """Something worth keeping, with this word in it, which is found nowhere else."""
    return f"The {chance.choice(SUBJECTS)} {word} listens on port {chance.randrange(9999)}."


def report(stand: Stand) -> None:
    """Act as an agent: one event by the script, or ten on one connection."""
    if chance.random() < 0.4:
        word = _mark()
        sent = subprocess.run(
            ["/bin/sh", str(HOOK), "claude"], input=json.dumps(event(stand, word)).encode(),
            env=stand.environ, capture_output=True, timeout=HANGS, check=False,
        )  # fmt: skip
        stand.events.add(word)
        stand.done["hook script"] += 1
        if sent.returncode:
            stand.violations["a hook's script did not end with 0"] = None
        return
    with suppress(Gone, Refusal, FileNotFoundError), Line(stand.home) as line:
        for _ in range(10):
            word = _mark()
            line.hook(secrets.token_bytes(16), event(stand, word))
            stand.events.add(word)  # acknowledged
            stand.done["hook frame"] += 1


def event(stand: Stand, word: str) -> dict[str, Any]:
    """A hook's event of one of six sessions; its ``prompt_id`` is the mark."""
    words = statement(word)
    tool = {
        "tool_name": "Bash",
        "tool_use_id": word,
        "tool_input": {"command": f"pytest -k {word}"},
    }
    kinds: list[dict[str, Any]] = [
        {"hook_event_name": "UserPromptSubmit", "prompt": f"Remember: {words}"},
        {"hook_event_name": "PostToolUse", **tool, "tool_response": {"stdout": words * 40}},
        {"hook_event_name": "PostToolUseFailure", **tool, "error": f"Error: {words}"},
        {"hook_event_name": "Stop", "last_assistant_message": f"I found that {words}"},
        {"hook_event_name": "SessionStart", "source": f"startup{word}"},
    ]
    session = f"soak-{chance.randrange(6)}"
    return {"session_id": session, "prompt_id": word, "cwd": str(stand.place)} | chance.choice(
        kinds
    )


def act(stand: Stand) -> None:
    """Act as a person: remember, erase, or one of the other commands."""
    kind = chance.random()
    if kind < 0.4:
        word = _mark()
        done = stand.run("remember", statement(word), "--new", "--json")
        if not done.returncode:
            stand.ids[word] = json.loads(done.stdout)["id"]
    elif kind < 0.55 and stand.ids:
        word = chance.choice(sorted(stand.ids))
        # Out of the account also if it fails: it may be done all the same.
        if not stand.run("forget", "--erase", "--yes", stand.ids.pop(word)).returncode:
            stand.erased.add(word)
    else:
        stand.run(*chance.choice(OTHERS))


def fault(stand: Stand) -> None:
    """Kill the daemon, or hold it for some seconds; then demand it back."""
    process = holder(stand.home)
    if process is not None:
        stand.done["fault"] += 1
        with suppress(ProcessLookupError):  # somebody else's kill may have ended it meanwhile
            if chance.random() < 0.7:
                os.kill(process, signal.SIGKILL)
            else:
                os.kill(process, signal.SIGSTOP)
                time.sleep(chance.uniform(0.2, 8.0))
                os.kill(process, signal.SIGCONT)
    if stand.run("up", "--json").returncode:
        stand.violations["the daemon did not come back after a fault"] = None


def _mark() -> str:
    return f"zq{secrets.token_hex(8)}x"


# ---- the look


def judge(stand: Stand) -> str:
    """Look at everything while nobody acts, and note what is violated; the sizes in a line."""
    stand.run("up")
    stand.run("backup", "now")  # one that a fault prevented is called wrong until the next is made
    until = time.monotonic() + SETTLED
    while True:
        status: dict[str, Any] = json.loads(stand.run("status", "--json").stdout)
        if not (status["undone"] or status["spooled"]) or time.monotonic() > until:
            break
        time.sleep(0.5)
    found = [f"{status[one]} events are {one}" for one in ("undone", "spooled") if status[one]]
    # One without vectors says so; nothing else is missing while nothing is wrong.
    found += [one for one in status["degraded"] if not one.startswith("recall goes by words alone")]
    with closing(apsw.Connection(str(stand.home.database))) as connection:
        sql = Sql(connection)
        if sql.rows("PRAGMA integrity_check") != [("ok",)]:
            found.append("the database is damaged")
        bodies = [msgpack.unpackb(body) for (body,) in sql.rows("SELECT body FROM journal") if body]
        texts = sql.rows("SELECT text FROM memory WHERE source = 'hand'")
    found += _once(stand.events, Counter(str(body.get("prompt_id")) for body in bodies))
    found += _once(stand.ids, Counter(word for (text,) in texts for word in set(str(text).split())))
    if stand.erased and (files := holders(stand.home.root, *stand.erased)):
        found.append(f"erased text stands in {files}")
    process = holder(stand.home) or 0
    memory = Process(process, stand.home.root).memory()["private"]
    descriptors = len(list(Path(f"/proc/{process}/fd").iterdir()))
    if memory > MEMORY or descriptors > DESCRIPTORS:
        found.append("the daemon has grown")
    stand.violations |= dict.fromkeys(found)
    return f"{memory:.0f} MB of private memory, {descriptors} descriptors, {len(bodies)} events"


def _once(wanted: set[str] | dict[str, str], stored: Counter[str]) -> list[str]:
    missing = [one for one in wanted if not stored[one]]
    twice = [one for one, count in stored.items() if one.startswith("zq") and count > 1]
    said = ((missing, "acknowledged and not there"), (twice, "stored more than once"))
    return [f"{len(marks)} {what}: {sorted(marks)[:5]}" for marks, what in said if marks]


# ---- the course

WORK: Final = ((report, 0.1), (report, 0.3), (act, 0.3), (fault, 8.0))  # and the longest pause


def _until(until: float, stand: Stand, doing: Callable[[Stand], None], pause: float) -> None:
    """Do it again and again; whatever it raises is a violation, and the end of this thread."""
    try:
        while time.monotonic() < until:
            doing(stand)
            time.sleep(chance.uniform(0.0, pause))
    except Exception as error:
        stand.violations[f"{doing.__name__}: {type(error).__name__}: {error}"] = None


def main() -> int:
    """Soak, and tell sizes and verdict; 1 when something was violated."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    end = time.monotonic() + 60 * parser.parse_args().minutes
    folder = Path(tempfile.mkdtemp(prefix="rv-"))
    stand = Stand(folder)
    try:
        stand.run("up")
        while time.monotonic() < end:
            until = min(time.monotonic() + ROUND, end)
            threads = [threading.Thread(target=_until, args=(until, stand, *one)) for one in WORK]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print(f"  {judge(stand)}", flush=True)
    finally:
        stand.run("down")
    print(f"done: {dict(stand.done)}")
    print(*(f"VIOLATED: {one}" for one in stand.violations), sep="\n")
    print(f"violated, see {folder}" if stand.violations else "all held")
    if not stand.violations:
        shutil.rmtree(folder)
    return int(bool(stand.violations))


if __name__ == "__main__":
    sys.exit(main())
