"""Cost of the language server: CPU and wall time of each request, beside its targets.

    python -m lab.benchmarks.language_server [--lines 1000 5000 19000] [--repeats N] [--json FILE]

Targets (for 1,000 lines): an edit at most 2 ms, a hint or a hover from
the cache at most 5 ms, from an edit to its hint the quiet time and 150 ms. A real server
process is driven over its streams; the daemon is the one of ``tests/lsp``, which answers
at once, so that what is measured is the server's. CPU is that of all the server's threads,
a mean over many requests; wall time is what the editor waited. (Linux: it reads /proc.)
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from daemon.home import Home
from lab.benchmarks import editors
from lab.benchmarks.processes import Process
from lab.benchmarks.timing import p95
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon, Kept

QUIET = 0.8  # seconds: the default
MEMORIES = 760  # of which each gets one
EVERY = 25  # lines: each of these mentions a memory, and all of them get a hint


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; times in milliseconds."""

    what: str
    lines: int
    cpu: float
    median: float
    p95: float
    target: float | None


def measured(
    what: str,
    lines: int,
    target: float | None,
    process: Process,
    repeats: int,
    act: Callable[[int], Any],
) -> Row:
    """Do it ``repeats`` times; the mean CPU and the distribution of the wall time."""
    walls: list[float] = []
    before = process.precise()
    for turn in range(repeats):
        began = time.perf_counter()
        act(turn)
        walls.append((time.perf_counter() - began) * 1000)
    cpu = (process.precise() - before) * 1000 / repeats
    return Row(what, lines, cpu, median(walls), p95(walls), target)


def text(lines: int) -> str:
    """A source file in which every 25th line mentions one of the memories."""
    return "".join(
        f"    value_{n} = compute(value_{n - 1})"
        + (f"  # see phrase number {n // EVERY % MEMORIES:03d}" if n % EVERY == 0 else "")
        + "\n"
        for n in range(lines)
    )


def rows_of(editor: EditorClient, process: Process, lines: int, repeats: int) -> list[Row]:
    """Every request on a file of so many lines."""
    uri = f"file:///bench/{lines}.py"
    editor.open(uri, text(lines))
    while not editor.hints(uri, lines):
        time.sleep(0.01)
    middle = lines // 2 // EVERY * EVERY
    version = 1

    def edit(_: int) -> None:
        nonlocal version
        version += 1
        editor.type(uri, version, middle + 1, 0, 0, "x")

    def edited(turn: int) -> None:
        edit(turn)
        editor.hover(uri, 0, 0)  # answered after the edit was applied

    def newly_hinted(_: int) -> None:
        nonlocal version
        seen = editor.heard("workspace/inlayHint/refresh")
        version += 1
        editor.type(uri, version, middle, 0, 0, "y")
        editor.hints(uri, lines)  # without the line that is typed
        editor.wait("workspace/inlayHint/refresh", nth=seen + 1)
        editor.hints(uri, lines)

    hover = measured("hover", lines, 5.0, process, repeats, lambda _: editor.hover(uri, middle, 60))
    both = measured("edit and hover", lines, None, process, repeats, edited)
    only = Row(
        "edit", lines, max(0.0, both.cpu - hover.cpu), both.median - hover.median,
        both.p95 - hover.median, 2.0,
    )  # fmt: skip
    window = measured(
        "hints of a window", lines, 5.0, process, repeats, lambda _: editor.hints(uri, 60)
    )
    whole = measured(
        "hints of the file", lines, 5.0, process, repeats, lambda _: editor.hints(uri, lines)
    )
    actions = measured(
        "code actions", lines, 10.0, process, repeats, lambda _: editor.actions(uri, middle)
    )
    late = measured("edit to new hint", lines, (QUIET + 0.15) * 1000, process, 5, newly_hinted)
    return [only, hover, window, whole, actions, late]


def run(sizes: list[int], repeats: int) -> tuple[list[Row], float]:
    """All rows, and the server's resident memory in MiB."""
    with tempfile.TemporaryDirectory(prefix="rv") as folder:
        home = Home(Path(folder))
        daemon = FakeDaemon(
            home, [Kept(f"m{n}", f"phrase number {n:03d}", score=0.9) for n in range(MEMORIES)]
        )
        environ = {**os.environ, "REVERIE_HOME": folder, "XDG_DATA_HOME": folder}
        with editors.editor(environ) as (editor, server):
            process = Process(server.pid, home.root)
            began = time.perf_counter()
            editor.initialize()
            waited = (time.perf_counter() - began) * 1000
            started = Row("start", 0, process.precise() * 1000, waited, waited, 1200.0)
            editor.open("file:///bench/away.py", text(1000))
            away = measured(
                "hints, daemon away", 1000, 20.0, process, repeats,
                lambda _: editor.hints("file:///bench/away.py"),
            )  # fmt: skip
            daemon.start()
            editor.ready()
            rows = [started, away]
            for lines in sizes:
                rows += rows_of(editor, process, lines, repeats)
            resident = sum(process.memory().values())
            editor.leave()
            server.wait()
        daemon.stop()
    return rows, resident


def main() -> None:
    """Print the table; write the same as JSON where it is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, nargs="+", default=[1000, 5000, 19000])
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    rows, resident = run(chosen.lines, chosen.repeats)
    print(f"{'':22}{'lines':>7}{'CPU':>9}{'median':>9}{'p95':>9}{'target':>9}  (ms)")
    for row in rows:
        target = f"{row.target:9.0f}" if row.target is not None else " " * 9
        print(f"{row.what:22}{row.lines:>7}{row.cpu:9.2f}{row.median:9.2f}{row.p95:9.2f}{target}")
    print(f"resident: {resident:.0f} MiB (target 60)")
    if chosen.json:
        report = {"rows": [asdict(row) for row in rows], "resident_mib": resident}
        chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
