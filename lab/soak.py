"""A soak: ``python -m lab.soak --minutes 60 [--seed N]``; Linux only.

A real daemon without vectors in a short home, under events of six sessions, commands of a person, and a fault
every few seconds. Every two minutes all is still, and what was promised is looked at: acknowledged is stored
once, erased is in no file, nothing grows without a bound. The seed gives the acts of each thread and their
order; how the threads meet is the machine's.
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
from random import Random, SystemRandom
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
FACTS: Final = "listens on port|waits at most seconds|keeps rows of age|retries times".split("|")
BOUNDS: Final = {
    "MB of private memory": 256.0,  # a fresh daemon has 58
    "descriptors": 64.0,  # of a daemon that nobody asks; a fresh one has 19
    "MB of write-ahead log": 64.0,  # it is moved after 500 units, in an idle moment
    "MB of logs": 10.0,  # four files of two and the one under way
}

Act = Callable[["Stand", Random], None]


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
        self.began = time.monotonic()

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run ``reverie`` to its end: with 0, or with 1 and one line of reason, else it is a violation."""
        done = subprocess.run(
            [*own_command(), *words], cwd=self.place, env=self.environ, text=True, errors="replace",
            stdin=subprocess.DEVNULL, capture_output=True, timeout=HANGS, check=False,
        )  # fmt: skip
        reasons = [line for line in done.stderr.splitlines() if line.startswith("reverie: ")]
        if done.returncode and (done.returncode != 1 or len(reasons) != 1):
            last = " | ".join(done.stderr.splitlines()[-3:])
            self.violations[f"{' '.join(words[:3])} ended with {done.returncode}: {last[:300]}"] = (
                None
            )
        self.done[f"{words[0]}{' refused' if done.returncode else ''}"] += 1
        return done


def mark() -> str:
    """A word found nowhere else."""
    return f"zq{secrets.token_hex(8)}x"


def statement(chance: Random, word: str) -> str:
    """Something worth keeping, with this word in it."""
    subject, fact = chance.choice(SUBJECTS), chance.choice(FACTS)
    return f"The {subject} {word} {fact} {chance.randrange(9999)}."


# ---- the load


def report(stand: Stand, chance: Random) -> None:
    """Act as an agent: one event by the script, or ten on one connection."""
    if chance.random() < 0.4:
        word = mark()
        sent = subprocess.run(
            ["/bin/sh", str(HOOK), "claude"], input=json.dumps(event(stand, chance, word)).encode(),
            env=stand.environ, capture_output=True, timeout=HANGS, check=False,
        )  # fmt: skip
        stand.events.add(word)
        stand.done["hook script"] += 1
        if sent.returncode:
            stand.violations["a hook's script did not end with 0"] = None
        return
    with suppress(Gone, Refusal, FileNotFoundError), Line(stand.home) as line:
        for _ in range(10):
            word = mark()
            line.hook(secrets.token_bytes(16), event(stand, chance, word))
            stand.events.add(word)  # acknowledged
            stand.done["hook frame"] += 1


def event(stand: Stand, chance: Random, word: str) -> dict[str, Any]:
    """A hook's event of one of six sessions; its ``prompt_id`` is the mark."""
    words = statement(chance, word)
    tool = {
        "tool_name": "Bash",
        "tool_use_id": word,
        "tool_input": {"command": f"pytest -k {word}"},
    }
    kinds: list[dict[str, Any]] = [
        {"hook_event_name": "UserPromptSubmit", "prompt": f"Remember: {words}"},
        {"hook_event_name": "UserPromptSubmit", "prompt": f"Why does {words} fail?"},
        {"hook_event_name": "PostToolUse", **tool, "tool_response": {"stdout": words * 40}},
        {"hook_event_name": "PostToolUseFailure", **tool, "error": f"Error: {words}"},
        {"hook_event_name": "Stop", "last_assistant_message": f"I found that {words}"},
        {"hook_event_name": "SessionStart", "source": f"startup{word}"},
    ]
    common = {
        "session_id": f"soak-{chance.randrange(6)}", "prompt_id": word,
        "cwd": str(stand.place),
    }  # fmt: skip
    return common | chance.choice(kinds)


def act(stand: Stand, chance: Random) -> None:
    """Act as a person: remember, erase, or one of the other commands."""
    kind = chance.random()
    if kind < 0.4:
        word = mark()
        done = stand.run("remember", statement(chance, word), "--new", "--json")
        if not done.returncode:
            stand.ids[word] = json.loads(done.stdout)["id"]
    elif kind < 0.55 and stand.ids:
        word = chance.choice(sorted(stand.ids))
        # Out of the account also if it fails: it may be done all the same.
        if not stand.run("forget", "--erase", "--yes", stand.ids.pop(word)).returncode:
            stand.erased.add(word)
    else:
        stand.run(*chance.choice(OTHERS))


OTHERS: Final = (
    ("recall", "which queue waits", "--json"), ("dream", "--now", "--json"), ("backup", "now", "--json"),
    ("export", "../out.jsonl"), ("status", "--json"), ("list", "--json"),
)  # fmt: skip


# ---- faults; each is over when its function returns, and the daemon is back then


def fault(stand: Stand, chance: Random) -> None:
    """Kill the daemon, or hold it; then demand it back."""
    process = holder(stand.home)
    if process is not None:
        seconds = chance.uniform(0.2, 8.0)
        # Somebody else's kill may have ended it meanwhile.
        with suppress(ProcessLookupError):
            chance.choice((_killed, _killed, _held))(process, seconds)
        stand.done["fault"] += 1
    if stand.run("up", "--json").returncode:
        stand.violations["the daemon did not come back after a fault"] = None


def _killed(process: int, _: float) -> None:
    os.kill(process, signal.SIGKILL)


def _held(process: int, seconds: float) -> None:
    os.kill(process, signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        os.kill(process, signal.SIGCONT)


# ---- the look


def judge(stand: Stand) -> str:
    """Look at everything while nobody acts, and note what is violated; the sizes in a line."""
    stand.run("up")
    stand.run("backup", "now")  # one that a fault prevented is called wrong until the next is made
    status = _still(stand)
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
    sizes = _sizes(stand)
    found += [f"{sizes[what]:,.1f} {what}" for what, most in BOUNDS.items() if sizes[what] > most]
    stand.violations |= dict.fromkeys(found)
    minute = (time.monotonic() - stand.began) / 60
    return f"minute {minute:.1f}: {', '.join(f'{size:,.1f} {one}' for one, size in sizes.items())}"


def _still(stand: Stand) -> dict[str, Any]:
    """The status once nothing is undone or spooled, or when it took too long."""
    until = time.monotonic() + SETTLED
    while True:
        status: dict[str, Any] = json.loads(stand.run("status", "--json").stdout)
        if not (status["undone"] or status["spooled"]) or time.monotonic() > until:
            return status
        time.sleep(0.5)


def _once(wanted: set[str] | dict[str, str], stored: Counter[str]) -> list[str]:
    missing = [one for one in wanted if not stored[one]]
    twice = [one for one, count in stored.items() if one.startswith("zq") and count > 1]
    said = ((missing, "acknowledged and not there"), (twice, "stored more than once"))
    return [f"{len(marks)} {what}: {sorted(marks)[:5]}" for marks, what in said if marks]


def _sizes(stand: Stand) -> dict[str, float]:
    """Sizes of the quiet daemon and its home."""
    root, process = stand.home.root, holder(stand.home) or 0

    def megabytes(pattern: str) -> float:
        return sum(path.stat().st_size for path in root.glob(pattern) if path.is_file()) / 1e6

    return {
        "MB of private memory": Process(process, root).memory()["private"],
        "descriptors": float(len(list(Path(f"/proc/{process}/fd").iterdir()))),
        "MB of write-ahead log": megabytes("reverie.db-wal"),
        "MB of logs": megabytes("logs/*"),
        "MB of database": megabytes("reverie.db"),
    }


# ---- the course

WORK: Final[dict[str, tuple[Act, float]]] = {  # and the seconds between two acts, at most
    "agent": (report, 0.1), "another agent": (report, 0.3), "person": (act, 0.3), "fault": (fault, 8.0),
}  # fmt: skip


def soak(stand: Stand, seed: int, seconds: float) -> None:
    """Load and faults, round after round."""
    number, end = 0, stand.began + seconds
    while time.monotonic() < end:
        until = min(time.monotonic() + ROUND, end)
        threads = [
            threading.Thread(
                target=_until, args=(until, stand, *work, Random(f"{seed} {number} {name}"))
            )
            for name, work in WORK.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"  {judge(stand)}", flush=True)
        number += 1


def _until(until: float, stand: Stand, doing: Act, pause: float, chance: Random) -> None:
    """Do it again and again; whatever it raises is a violation, and the end of this thread."""
    try:
        while time.monotonic() < until:
            doing(stand, chance)
            time.sleep(chance.uniform(0.0, pause))
    except Exception as error:
        stand.violations[f"{doing.__name__}: {type(error).__name__}: {error}"] = None


def main() -> int:
    """Soak, and tell seed, sizes and verdict; 1 when something was violated."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int)
    chosen = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    folder = Path(tempfile.mkdtemp(prefix="rv-"))
    print(f"seed {seed}, {chosen.minutes:g} minutes, in {folder}", flush=True)
    stand = Stand(folder)
    try:
        stand.run("up")
        soak(stand, seed, 60 * chosen.minutes)
    finally:
        stand.run("down")
    marks = {"events": stand.events, "memories": stand.ids, "erased": stand.erased}
    print(f"done: {dict(stand.done)}")
    print(f"acknowledged: {', '.join(f'{len(these)} {what}' for what, these in marks.items())}")
    print(*(f"VIOLATED: {one}" for one in stand.violations), sep="\n")
    print(f"violated, see {folder}" if stand.violations else "all held")
    if not stand.violations:
        shutil.rmtree(folder)
    return int(bool(stand.violations))


if __name__ == "__main__":
    sys.exit(main())
