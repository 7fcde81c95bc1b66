"""Instruments of the benchmarks: evaluation sets at hand, times, processes and editors."""

import gzip
import json
import lzma
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct, field

from daemon.api.recall import Recall
from daemon.api.status import AwaitEmbedded
from daemon.api.transfer import Import
from daemon.client import Client, open_client
from daemon.home import Home
from daemon.shapes.results import Recalled
from daemon.shapes.rows import ImportRow
from lab.evaluation import measures
from tests.lsp.editing import EditorClient

# ---- times of many calls, in milliseconds of CPU and by the clock, and a table of them

WARM_UP = 5  # calls that are not counted

Ask = Callable[[int], Awaitable[object]]


class Times(Struct):
    """Milliseconds of each call: CPU, and wall time."""

    cpu: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])

    def add(self, cpu: float, wall: float) -> None:
        """Note a call (seconds)."""
        self.cpu.append(1000 * cpu)
        self.wall.append(1000 * wall)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile, by nearest rank; 0 of nothing."""
    return measures.percentile(values, 0.95) or 0.0


async def timed(ask: Ask, rounds: int) -> Times:
    """Times of so many calls; CPU is of the whole process."""
    for turn in range(WARM_UP):
        await ask(turn)
    times = Times()
    for turn in range(rounds):
        began, worked = time.perf_counter(), time.process_time()
        await ask(turn)
        times.add(time.process_time() - worked, time.perf_counter() - began)
    return times


def table(times: Mapping[str, Times], notes: Mapping[str, str] | None = None) -> str:
    """Medians and 95th percentiles of each, one a line, and its remark."""
    head = f"{'':24}" + "".join(f"{name:>10}" for name in ("CPU p50", "p95", "wall p50", "p95"))
    lines = [
        f"{name:24}"
        + "".join(f"{value:10.2f}" for of in (one.cpu, one.wall) for value in (median(of), p95(of)))
        + f"  {(notes or {}).get(name, '')}".rstrip()
        for name, one in times.items()
    ]
    return "\n".join([head, *lines])


# ---- cost of a daemon as a process: CPU until it is ready and answers, memory
#
# Linux only: CPU and memory come from /proc. Private memory has no file behind it (RssAnon); mapped
# parts of its files lie in the page cache and are counted apart.

_TICKS = os.sysconf("SC_CLK_TCK")
_SCHEDULED = 2  # of a process's clocks the one of all its threads (CPUCLOCK_SCHED)
_WITHIN = 120.0  # seconds for a start
_MAIN = "from daemon.cli import main; main()"
_CONFIG = "[embedding]\nenabled = false\n"


class Process(Struct, frozen=True):
    """A daemon at work on a home."""

    pid: int
    home: Path

    def cpu(self) -> float:
        """Seconds of CPU since its start, its children's included."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(int(field) for field in fields[11:15]) / _TICKS

    def precise(self) -> float:
        """Seconds of CPU of the process alone, by its clock, which no tick rounds."""
        return time.clock_gettime(~self.pid << 3 | _SCHEDULED)

    def memory(self) -> dict[str, float]:
        """MB without a file behind them, and MB of mapped files in memory."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        found = dict(line.split(":\t", 1) for line in lines if line.startswith("Rss"))
        return {
            name: int(found[field].split()[0]) / 1024
            for name, field in (("private", "RssAnon"), ("mapped", "RssFile"))
        }

    def ask(self, *words: str) -> Any:
        """Output of a command, as JSON."""
        done = subprocess.run(
            started_with(*words), env=_environment(self.home),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)


def started_with(*words: str) -> list[str]:
    """The command line of ``reverie`` with these words."""
    return [sys.executable, "-c", _MAIN, *words]


def _environment(home: Path) -> dict[str, str]:
    return os.environ | {"REVERIE_HOME": str(home), "XDG_DATA_HOME": str(home)}  # its own models


@contextmanager
def daemon(home: Path, *, model: bool = False) -> Generator[Process]:
    """A daemon on this home, with its model or with none; it listens when this begins."""
    if not model:
        (home / "config.toml").write_text(_CONFIG)
    (home / "address").unlink(missing_ok=True)
    with subprocess.Popen(
        started_with("daemon"),
        env=_environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as started:  # fmt: skip
        try:
            began = time.monotonic()
            while not (home / "address").exists():
                if started.poll() is not None or time.monotonic() - began > _WITHIN:
                    raise RuntimeError("the daemon did not start")
                time.sleep(0.005)
            yield Process(started.pid, home)
        finally:
            started.send_signal(signal.SIGTERM)
            started.wait()


# ---- an editor before a real language server, as its user starts it

ROOT = Path(__file__).resolve().parents[2]
SERVES = "from daemon.commands.local.processes import serve_editor; serve_editor()"
ALONE = (sys.executable, "-c", SERVES)  # the server, which starts no daemon


@contextmanager
def editor(
    environ: Mapping[str, str],
    command: Sequence[str] = ALONE,
    *,
    folder: Path = ROOT,
) -> Generator[tuple[EditorClient, subprocess.Popen[bytes]]]:
    """An editor and its server, which is gone when this ends."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, cwd=folder
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        client = EditorClient(server.stdin, server.stdout, settings={})
        try:
            yield client, server
        finally:
            server.kill()
            client.hang_up()
            client.join()


# ---- evaluation sets at hand: texts in groups, questions, and the right answers
#
# A set is two files with one object a line, packed or not: ``<set>.corpus.jsonl.gz`` (id, group, text)
# and ``<set>.queries.jsonl.gz`` (id, group, text, rel: the right ids, with grades; kind, in some). A
# group is a project of its own.

PAGE = 500  # rows imported at once
PATIENCE = 600.0  # seconds for an import, its vectors or an answer
AGAIN = 5  # times a question is asked until no channel was late


class Question(Struct, frozen=True):
    """A query and its right answers, by key; nothing is right when it has no answer."""

    text: str
    group: str
    right: Mapping[str, float]


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one a line, packed or not."""
    unpacked = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    return [json.loads(line) for line in unpacked(path.read_bytes()).splitlines() if line.strip()]


def write(path: Path, made: Iterable[Mapping[str, Any]]) -> None:
    """Write a file with an object a line."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in made))


def read(folder: Path, name: str) -> tuple[list[dict[str, Any]], list[Question]]:
    """The texts and the questions of a set."""
    asked = [
        Question(
            row["text"], row["group"], {key: float(grade) for key, grade in row["rel"].items()}
        )
        for row in rows(folder / f"{name}.queries.jsonl.gz")
    ]
    return rows(folder / f"{name}.corpus.jsonl.gz"), asked


def project(group: str) -> str:
    """The folder standing for a group."""
    return f"/{group.replace('*', 'all')}"


@asynccontextmanager
async def remembered(
    corpus: Sequence[Mapping[str, Any]], models: Path, *, gate: bool = True
) -> AsyncGenerator[tuple[Client, Process]]:
    """A client of a real daemon with these texts and their vectors, and the daemon."""
    rows = [
        ImportRow(text=row["text"], key=row["id"], project=project(row["group"])) for row in corpus
    ]
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Home(Path(folder))
        home.prepare()
        shutil.copytree(models, home.root / "models", dirs_exist_ok=True)
        with daemon(home.root, model=True) as process:
            async with open_client(home) as client:
                for start in range(0, len(rows), PAGE):
                    page = Import(rows=rows[start : start + PAGE], gate=gate)
                    await client.ask(page, within=PATIENCE)
                await client.ask(AwaitEmbedded(), within=PATIENCE)
                yield client, process


async def answered(client: Client, question: Recall) -> Recalled:
    """Results of the daemon when no channel was late; raises ``SystemExit`` if one always is."""
    reply: Recalled | None = None
    for _ in range(AGAIN):
        reply = await client.ask(question, within=PATIENCE)
        if reply.degraded is None:
            return reply
    raise SystemExit(f"a channel did not answer: {reply and reply.degraded}")


def figures(
    found: Sequence[tuple[Question, Sequence[str]]], depths: Sequence[int]
) -> tuple[float, ...]:
    """Mean recall at each depth, and the mean reciprocal rank of the first right one."""
    each = [
        (
            *(measures.recall(keys, one.right, depth) for depth in depths),
            measures.reciprocal_rank(keys, one.right, depths[-1]),
        )
        for one, keys in found
    ]
    return tuple(measures.average(column) or 0.0 for column in zip(*each, strict=True))
