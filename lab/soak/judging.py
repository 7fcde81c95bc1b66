"""What must hold: acknowledged is stored once, erased stays away, nothing grows without a bound."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import apsw
import msgpack

from daemon import files, logs
from daemon.storage.database.sql import Sql
from lab.benchmarks.processes import Process
from lab.soak.account import GROWS, YARDSTICK, Account
from lab.soak.load import SUBJECTS, asked
from lab.soak.stand import Stand
from tests.daemon.process import Line
from tests.holders import holders

MB: Final = 1024 * 1024
PRIVATE: Final = 256.0  # MB of a daemon without vectors; a fresh one has 58
DESCRIPTORS: Final = 64  # of a daemon that nobody asks; a fresh one has 19
WAL: Final = 64 * MB  # bytes; it is moved after 500 units, in an idle moment
SETTLED: Final = 60.0  # seconds for what is undone and spooled
SLOWER: Final = 3.0  # times the first quarter's median, beside the yardstick's
TURNS: Final = 12  # for each subject
ENOUGH: Final = 100  # measurements in each quarter, else nothing is said of a trend


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of a quiet daemon and its home."""

    minute: float
    private: float  # MB
    descriptors: int
    database: int  # bytes, as the next three
    wal: int
    log: int
    backups: int
    spooled: int  # files that are events


def sizes(stand: Stand, account: Account) -> Sizes:
    """Measure them now."""
    root, process = stand.home.root, stand.pid() or 0

    def below(pattern: str) -> int:
        return sum(path.stat().st_size for path in root.glob(pattern) if path.is_file())

    return Sizes(
        (time.monotonic() - account.began) / 60,
        Process(process, root).memory()["private"],
        len(list(Path(f"/proc/{process}/fd").iterdir())),
        below("reverie.db"), below("reverie.db-wal"), below("logs/*"), below("backups/*"),
        len(files.waiting(stand.home.spool)),
    )  # fmt: skip


def judge(stand: Stand, account: Account) -> Sizes:
    """Look at everything while nobody acts; what is wrong goes to the account."""
    _settle(stand, account)
    with closing(apsw.Connection(str(stand.home.database))) as connection:
        sql = Sql(connection)
        if sql.rows("PRAGMA integrity_check") != [("ok",)]:
            account.violation("the database is damaged")
        bodies = [msgpack.unpackb(body) for (body,) in sql.rows("SELECT body FROM journal") if body]
        texts = sql.rows("SELECT text FROM memory WHERE source IN ('hand', 'import')")
    _once("event", account.events, Counter(str(body.get("prompt_id")) for body in bodies), account)
    words = (set(str(text).split()) for (text,) in texts)
    _once("memory", account.stored, Counter(word for found in words for word in found), account)
    if account.erased and (files_of := holders(stand.home.root, *account.erased)):
        account.violation(f"erased text stands in {files_of}")
    if account.abroad and (files_of := holders(stand.home.root, *account.abroad)):
        account.violation(f"text of the second home stands in {files_of} of the first")
    found = sizes(stand, account)
    _bounded(found, stand, account)
    return found


def _settle(stand: Stand, account: Account) -> None:
    """Wait until each event is derived and nothing is spooled; a restart may be needed for it.

    A full disk loses the note that an event is derived: it is derived again at the next start.
    """
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


def _bounded(found: Sizes, stand: Stand, account: Account) -> None:
    set_aside = len(list(stand.home.spool.glob("*.unreadable")))
    for what, size, bound in (
        ("MB of private memory", found.private, PRIVATE if not stand.vectors else 2 * PRIVATE),
        ("descriptors", found.descriptors, DESCRIPTORS),
        ("bytes of write-ahead log", found.wal, WAL),
        ("bytes of logs", found.log, (logs.KEPT + 2) * logs.SIZE),
        ("files set aside in the spool", set_aside, account.rubbish),
    ):
        if size > bound:
            account.violation(f"{size:,.0f} {what}, more than {bound:,.0f}")


def trend(account: Account) -> list[str]:
    """Compare the medians of the first and the last quarter, a line each.

    What became slower is held against the yardstick: other work on the machine slows both. A question
    that ever more memories match has more work each time: ``beside_fresh`` judges it.
    """
    lines: list[str] = []
    became: dict[str, float] = {}
    for what, took in account.latencies.items():
        quarter = len(took) // 4
        if quarter < ENOUGH:
            lines.append(f"{what}: {len(took)} measurements, too few to tell a trend")
            continue
        first, last = median(took[:quarter]), median(took[-quarter:])
        lines.append(f"{what}: {first:.1f} ms at first, {last:.1f} at last: {last / first:.2f}")
        if what != GROWS:
            became[what] = last / first
    machine = became.get(YARDSTICK, 1.0)
    for what, slower in became.items():
        if slower > SLOWER * machine:
            account.violation(f"{what} became {slower / machine:.1f} times slower")
    return lines


def beside_fresh(stand: Stand, account: Account) -> str:
    """Ask the home and a fresh copy of its store in turn: as much work, none of the age."""
    with closing(apsw.Connection(str(stand.home.database))) as connection:
        Sql(connection).rows("VACUUM INTO ?", (str(stand.copy.database),))
    with closing(apsw.Connection(str(stand.copy.database))) as connection:
        Sql(connection).rows("INSERT INTO memory_words(memory_words) VALUES('optimize')")
    stand.document("up")
    assert stand.run("up", home=stand.copy).code == 0, "the copy did not start"
    with Line(stand.home) as aged, Line(stand.copy) as fresh:
        turns = [(asked(aged, one), asked(fresh, one)) for one in SUBJECTS * TURNS]
    return compare([turn[0] for turn in turns], [turn[1] for turn in turns], account)


def compare(aged: Sequence[float], fresh: Sequence[float], account: Account) -> str:
    """Hold the median of the aged store against that of its fresh copy (seconds)."""
    slower = median(aged) / median(fresh)
    if slower > SLOWER:
        account.violation(f"{GROWS} takes {slower:.1f} times as long as in a fresh copy")
    return f"{GROWS}: {1000 * median(aged):.1f} ms, in a fresh copy {1000 * median(fresh):.1f}"


def growth(found: Sizes) -> str:
    """The sizes on one line."""
    return ", ".join(
        f"{name} {value:,.1f}" if isinstance(value, float) else f"{name} {value:,}"
        for name, value in asdict(found).items()
    )
