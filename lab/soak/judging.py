"""Invariants: acknowledged is stored once, erased stays away, nothing grows without a bound."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw
import msgpack

from daemon.host import LOG_SIZE, LOGS_KEPT
from daemon.storage.database.sql import Sql
from lab.benchmarks.processes import Process
from lab.soak.stand import Account, Stand
from tests.holders import holders

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
