"""``gate``: what the prediction-error gate would do, without storing anything."""

from functools import partial

import click

from daemon.client import Client
from daemon.commands.terminal.conversation import conversation
from daemon.commands.terminal.jsonl import batches, read_lines, write_line
from daemon.commands.terminal.progress import progress_line
from daemon.requests.gate import Judge, Pair

BATCH_PAIRS = 100  # each pair is two texts to embed
BATCH_WITHIN = 920.0  # seconds; the daemon gives up before


@click.command()
@click.option("--pairs", metavar="FILE.jsonl", required=True, help="The pairs ('-': stdin).")
def gate(pairs: str) -> None:
    """Say what the gate would do with pairs of texts.

    A line is {"id", "existing", "incoming"}; the answer is {"id", "action",
    "similarity", "contradiction"}. Nothing is stored.
    """
    lines = list(read_lines(pairs, Pair))
    if lines:
        conversation(partial(_judge, lines))


async def _judge(pairs: list[Pair], client: Client) -> None:
    done = 0
    with progress_line(beside_results=True) as show:
        for batch in batches(pairs, BATCH_PAIRS):
            judged = await client.ask(Judge(pairs=batch), within=BATCH_WITHIN)
            for verdict in judged.verdicts:
                write_line(verdict)
            done += len(batch)
            show(f"{done:,} of {len(pairs):,} pairs judged")
