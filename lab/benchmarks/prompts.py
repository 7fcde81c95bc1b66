"""Cost of a prompt in the daemon, all that follows it included, and what an import leaves in memory.

    python -m lab.benchmarks.prompts --data DIR [--models DIR] [--texts 10000] [--prompts 300] [--kept HOME]

DIR holds sets as ``lab.benchmarks.sets`` says. Texts of all sets are imported into one project of a real
daemon, and embedded; then queries of all sets, dealt out evenly, are sent through the socket as a hook sends
a prompt, ten a session, with a pause after each in which everything that follows it is done. A prompt
costs what the daemon's processor clock (the worker is a process of its own) moves from its frame to the
next one's; what the daemon costs when nobody asks is told apart and is in it. ``--kept`` is made when it is
not there, and copied before it is measured: two versions of a program then answer from the same home. The
daemon is given seconds for an answer, so that on a busy machine as well every prompt costs all it can.
Linux only.
"""

import argparse
import math
import os
import random
import shutil
import tempfile
import time
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from statistics import mean
from typing import Final

import trio

from daemon.client import open_client
from daemon.home import Home, current_home
from daemon.requests.status import AwaitEmbedded
from daemon.requests.transfer import Import, ImportRow
from lab.benchmarks import processes, sets
from lab.benchmarks.timing import Times, table
from tests.daemon.process import Line, prompt

PROJECT: Final = "/bench"
SESSION: Final = 10  # prompts
QUIET: Final = 0.005  # of a processor: what a daemon that has settled takes, and
SETTLED: Final = 120.0  # seconds after a start until it has at the latest
PATIENT: Final = "[injection]\ndeadline = 5.0\nembedding_wait = 2.0\n"  # nobody is late
IDLE: Final = 20.0  # seconds in which nobody asks
AFTER: Final = (0, 30, 60, 120)  # seconds after an import at which memory is read
SEED: Final = 11
PATIENCE: Final = 3_600.0


def texts_of(data: Path, count: int) -> list[str]:
    """Distinct texts of all sets, shuffled."""
    found = {
        row["text"]: None for file in data.glob("*.corpus.jsonl.gz") for row in sets.rows(file)
    }
    kept = sorted(text for text in found if text.strip())
    random.Random(SEED).shuffle(kept)
    return kept[:count]


def prompts_of(data: Path, count: int) -> list[str]:
    """Distinct queries, of each set in its turn."""
    dealt: list[list[str]] = []
    for file in sorted(data.glob("*.queries.jsonl.gz")):
        asked = sorted({row["text"] for row in sets.rows(file)})
        random.Random(SEED).shuffle(asked)
        dealt.append(asked)
    turns = chain.from_iterable(zip_longest(*dealt))
    return list(dict.fromkeys(one for one in turns if one))[:count]


async def imported(home: Home, texts: list[str], *, embedded: bool) -> None:
    """Import the texts into one project, and wait for their vectors where those are wanted."""
    async with open_client(home) as client:
        for start in range(0, len(texts), sets.PAGE):
            page = [ImportRow(text=text, project=PROJECT) for text in texts[start:][: sets.PAGE]]
            await client.ask(Import(rows=page, gate=False), within=PATIENCE)
        if embedded:
            await client.ask(AwaitEmbedded(), within=PATIENCE)


def filled(home: Home, models: Path, texts: list[str]) -> None:
    """Make a home with these texts and their vectors."""
    home.prepare()
    shutil.copytree(models, home.root / "models", dirs_exist_ok=True)
    with processes.daemon(home.root, model=True):
        trio.run(partial(imported, embedded=True), home, texts)


def held_after_import(home: Home, texts: list[str]) -> str:
    """MB of a daemon that has imported these without vectors, by seconds after the import."""
    home.prepare()
    held: list[str] = []
    with processes.daemon(home.root) as process:
        trio.run(partial(imported, embedded=False), home, texts)
        began = time.monotonic()
        for after in AFTER:
            time.sleep(max(0.0, began + after - time.monotonic()))
            held.append(f"{sum(process.memory().values()):.0f} after {after} s")
    return ", ".join(held)


def asked(home: Home, prompts: list[str], pause: float) -> str:
    """Cost of each prompt, what of it a daemon costs when nobody asks, and memory."""
    (home.root / "config.toml").write_text(PATIENT)
    with processes.daemon(home.root, model=True) as process:
        _settled(process)
        told, times = 0, Times()
        for number, text in enumerate(prompts[:SESSION]):  # what a first answer brings into memory
            _sent(home, f"warm-{number}", text)
        before = process.precise()
        time.sleep(IDLE)
        idle = 1000 * (process.precise() - before) / IDLE
        for number, text in enumerate(prompts):
            before, began = process.precise(), time.monotonic()
            told += bool(_sent(home, f"session-{number // SESSION}", text))
            took = time.monotonic() - began
            time.sleep(pause)
            times.add(process.precise() - before, took)
        return (
            f"{len(prompts)} prompts, {told} told something, {mean(times.cpu):.1f} ms of CPU in the"
            f" mean; {idle:.1f} ms a second when nobody asks\n{table({'a prompt': times})}\n"
            f"{sum(process.memory().values()):.0f} MB"
        )


def _settled(process: processes.Process) -> None:
    """Wait until a daemon that has just started is done with what it does by itself."""
    until, spent = time.monotonic() + SETTLED, math.inf
    while spent > 2 * QUIET and time.monotonic() < until:
        before = process.precise()
        time.sleep(2.0)
        spent = process.precise() - before


def _sent(home: Home, session: str, text: str) -> bytes:
    """Send a prompt as a hook does, on a connection of its own; what the agent is told."""
    with Line(home) as line:
        event = prompt(text, session, PROJECT) | {"transcript_path": "/nowhere/transcript.jsonl"}
        return line.hook(os.urandom(16), event)


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--models", type=Path, default=current_home().models)
    options.add_argument("--texts", type=int, default=10_000)
    options.add_argument("--prompts", type=int, default=300)
    options.add_argument("--pause", type=float, default=0.4, help="seconds after a prompt")
    options.add_argument("--kept", type=Path, help="a home that is kept for the next time")
    chosen = options.parse_args()
    texts = texts_of(chosen.data, chosen.texts)
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        kept = chosen.kept or Path(folder, "kept")
        if not kept.exists():
            filled(Home(kept), chosen.models, texts)
        home = Home(Path(folder, "asked"))
        shutil.copytree(kept, home.root)
        print(asked(home, prompts_of(chosen.data, chosen.prompts), chosen.pause), flush=True)
        print("after an import, MB: " + held_after_import(Home(Path(folder, "held")), texts))


if __name__ == "__main__":
    main()
