"""A home and all that happens there: the account, the load, and the invariants."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import apsw
import msgpack

from daemon.home import Home
from daemon.host import LOG_SIZE, LOGS_KEPT
from daemon.launch import lock_holder, own_command
from daemon.storage.database.sql import Sql
from lab.benchmarks import instruments
from lab.benchmarks.instruments import Process
from tests.daemon.process import Gone, Line, Refusal
from tests.holders import holders

# ---- a home in a short folder, with a repository and its worktree, and the account of events there

ROOT: Final = Path(__file__).resolve().parents[2]
HANGS: Final = 240.0  # seconds after which a command counts as hung: the machine may be busy


@dataclass
class Account:
    """Ids required at the end, and counts of the way; threads write to it."""

    events: set[str] = field(default_factory=set[str])  # marks that were acknowledged
    stored: set[str] = field(default_factory=set[str])  # marks of memories
    ids: dict[str, str] = field(default_factory=dict[str, str])  # by mark, of what may be erased
    erased: set[str] = field(default_factory=set[str])  # marks
    rubbish: int = 0  # files that were put into the spool and are no events
    done: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])  # ended with 1 and a reason
    faults: list[str] = field(default_factory=list[str])
    violations: list[str] = field(default_factory=list[str])
    began: float = field(default_factory=time.monotonic)
    _last: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mark(self) -> str:
        """A word found nowhere else."""
        with self._lock:
            self._last += 1
            return f"zq{self._last:07d}x"

    def fault(self, what: str) -> None:
        """Note a fault with its second."""
        self.faults.append(f"{time.monotonic() - self.began:7.1f} s  {what}")

    def violation(self, what: str) -> None:
        """Note a violation, once."""
        if what not in self.violations:
            self.violations.append(what)


class Stand:
    """A home, three folders to work in, and every way to run things there."""

    def __init__(self, folder: Path, *, vectors: bool) -> None:
        self.folder = folder
        self.vectors = vectors
        self.account = Account()
        self.home = Home(folder / "h")
        self.home.prepare()
        enabled = "true" if vectors else "false"
        self.home.config.write_text(f"[embedding]\nenabled = {enabled}\n", encoding="utf-8")
        self.places = [folder / name for name in ("shop", "tree", "other")]
        shop, tree, other = self.places
        shop.mkdir()
        other.mkdir()
        for words in (
            ("init", "-q"),
            ("commit", "-q", "--allow-empty", "-m", "begin"),
            ("worktree", "add", "-q", str(tree)),
        ):
            identity = ("-c", "user.name=soak", "-c", "user.email=soak@example.org")
            subprocess.run(["git", *identity, *words], cwd=shop, check=True)

    @property
    def environ(self) -> dict[str, str]:
        """Environment of a process: nothing of this user's but the model."""
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder), "LANG": "C.UTF-8", "REVERIE_HOME": str(self.home.root),
            **{name: value for name, value in os.environ.items() if name.startswith("REVERIE_EMB")},
        }  # fmt: skip

    def run(self, *words: str, place: int = 0) -> subprocess.CompletedProcess[str]:
        """Run ``reverie`` to its end. Raises ``subprocess.TimeoutExpired`` when it hangs."""
        return subprocess.run(
            [*own_command(), *words], cwd=self.places[place], env=self.environ, text=True,
            errors="replace", stdin=subprocess.DEVNULL, capture_output=True, timeout=HANGS,
            check=False,
        )  # fmt: skip

    def act(self, *words: str, place: int = 0) -> str | None:
        """Output of a command, None when it is refused; an end in no order is a violation.

        It must end with 0, or with 1 and one line of reason.
        """
        done = self.run(*words, place=place)
        reasons = [line for line in done.stderr.splitlines() if line.startswith("reverie: ")]
        in_order = done.returncode == 0 or (
            done.returncode == 1 and (len(reasons) == 1 or bool(done.stdout))
        )
        if not in_order or "Traceback" in done.stderr:
            last = " | ".join(done.stderr.splitlines()[-3:])
            self.account.violation(
                f"reverie {' '.join(words[:3])} ended with {done.returncode}: {last[:300]}"
            )
        (self.account.refused if done.returncode else self.account.done)[words[0]] += 1
        return None if done.returncode else done.stdout

    def document(self, *words: str) -> Any:
        """JSON output of a command. Raises ``AssertionError`` when it fails."""
        done = self.run(*words, "--json")
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr.strip()}"
        return json.loads(done.stdout)

    def hook(self, event: dict[str, Any]) -> int:
        """Send an event through the agents' script; returns its exit code."""
        return subprocess.run(
            ["/bin/sh", str(ROOT / "hooks" / "hook.sh"), "claude"],
            input=json.dumps(event).encode(), env=self.environ,
            capture_output=True, timeout=HANGS, check=False,
        ).returncode  # fmt: skip

    def pid(self) -> int | None:
        """The daemon's process, if there is one."""
        return lock_holder(self.home)


# ---- the load: an agent's events, a person's commands and an editor's requests, each by chance

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
        instruments.editor(stand.environ, command, folder=stand.places[0], errors=errors) as (
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


# ---- invariants: acknowledged is stored once, erased stays away, nothing grows without a bound

PRIVATE: Final = 256.0  # MB of a daemon without vectors; a fresh one has 58
DESCRIPTORS: Final = 64  # of a daemon that nobody asks; a fresh one has 19
WAL: Final = 64.0  # MB; it is moved after 500 units, in an idle moment
LOGS: Final = (LOGS_KEPT + 2) * LOG_SIZE / 1e6  # MB
SETTLED: Final = 60.0  # seconds for what is undone and spooled


def judge(stand: Stand) -> str:
    """Look at everything while nobody acts; returns the sizes in a line. Violations are in the account."""
    account = stand.account
    _settle(stand)
    with closing(apsw.Connection(str(stand.home.database))) as connection:
        sql = Sql(connection)
        if sql.rows("PRAGMA integrity_check") != [("ok",)]:
            account.violation("the database is damaged")
        bodies = [msgpack.unpackb(body) for (body,) in sql.rows("SELECT body FROM journal") if body]
        texts = sql.rows("SELECT text FROM memory WHERE source IN ('hand', 'import')")
    _once("event", account.events, Counter(str(body.get("prompt_id")) for body in bodies), account)
    words = (set(str(text).split()) for (text,) in texts)
    _once("memory", account.stored, Counter(word for said in words for word in said), account)
    if account.erased and (files := holders(stand.home.root, *account.erased)):
        account.violation(f"erased text stands in {files}")
    return _sizes(stand)


def _settle(stand: Stand) -> None:
    """Wait until each event is derived and nothing is spooled; a restart may be needed for it.

    A full disk loses the note of a derived event: it is derived again at the next start.
    """
    account = stand.account
    stand.document("up")
    stand.run("backup", "now")  # one that a fault prevented is called wrong until the next is made
    status = _still(stand)
    if status["undone"]:
        account.fault(f"{status['undone']} events stayed undone: restarted")
        stand.run("down")
        stand.document("up")
        status = _still(stand)
    if status["undone"] or status["spooled"]:
        account.violation(f"{status['undone']} undone, {status['spooled']} spooled stay so")
    for trouble in status["degraded"]:
        if not trouble.startswith("recall goes by words alone") or stand.vectors:
            account.violation(f"degraded while nothing is wrong: {trouble}")


def _still(stand: Stand) -> dict[str, Any]:
    """The status once nothing is undone or spooled, or when it took too long."""
    until = time.monotonic() + SETTLED
    while True:
        status: dict[str, Any] = stand.document("status")
        if not (status["undone"] or status["spooled"]) or time.monotonic() > until:
            return status
        time.sleep(0.5)


def _once(what: str, marks: set[str], found: Counter[str], account: Account) -> None:
    missing = sorted(mark for mark in marks if not found[mark])
    if missing:
        account.violation(f"{len(missing)} acknowledged {what} are lost: {missing[:5]}")
    twice = sorted(mark for mark in found if mark.startswith("zq") and found[mark] > 1)
    if twice:
        account.violation(f"{len(twice)} {what} are stored more than once: {twice[:5]}")


def _sizes(stand: Stand) -> str:
    """Sizes of the quiet daemon and its home, each within its bound."""
    root, process = stand.home.root, stand.pid() or 0

    def megabytes(pattern: str) -> float:
        return sum(path.stat().st_size for path in root.glob(pattern) if path.is_file()) / 1e6

    sizes = {
        "MB of private memory": Process(process, root).memory()["private"],
        "descriptors": len(list(Path(f"/proc/{process}/fd").iterdir())),
        "MB of write-ahead log": megabytes("reverie.db-wal"),
        "MB of logs": megabytes("logs/*"),
        "files set aside in the spool": len(list(stand.home.spool.glob("*.unreadable"))),
        "MB of database": megabytes("reverie.db"),
    }
    bounds = {
        "MB of private memory": 2 * PRIVATE if stand.vectors else PRIVATE,
        "descriptors": DESCRIPTORS,
        "MB of write-ahead log": WAL,
        "MB of logs": LOGS,
        "files set aside in the spool": stand.account.rubbish,
    }
    for what, bound in bounds.items():
        if sizes[what] > bound:
            stand.account.violation(f"{sizes[what]:,.1f} {what}, more than {bound:,.1f}")
    minute = (time.monotonic() - stand.account.began) / 60
    return f"minute {minute:.1f}: " + ", ".join(
        f"{size:,.1f} {what}" for what, size in sizes.items()
    )
