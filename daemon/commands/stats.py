"""``stats``: how much of what there is."""

from collections.abc import Mapping
from typing import Any

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import age, counted, now, present, print_table, styled
from daemon.requests.stats import Figures, Stats

SIZES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def stats(as_json: bool) -> None:
    """Show how much of what there is.

    Memories by kind, tier, state and project; the gate, the journal, vectors, the file.
    """
    present(asked(Stats()), as_json, _print_stats)


def _print_stats(figures: Figures) -> None:
    click.echo(styled(counted(figures.memories, "memory", "memories"), bold=True))
    projects = {name or "everywhere": count for name, count in figures.projects.items()}
    rows = [
        ["kinds", _tally(figures.kinds)],
        ["tiers", _tally(figures.tiers)],
        ["lifecycle", _shares(figures.states)],
        ["accessibility", _shares(figures.accessibility)],
        ["projects", _tally(projects)],
        *_folders(figures.folders),
        ["ended", _tally(figures.ended)],
        *_decided(figures),
        ["journal", _tally(figures.journal)],
        ["vectors", _tally(figures.vectors).replace("_", " ")],
        *_graph(figures.graph),
        ["database", _size(figures.bytes)],
        *_in_memory(figures.in_memory),
        *_on_disk(figures.on_disk),
        *_archival(figures.archival),
        *_last_answers(figures.last_answers),
        *_scoring(figures.scoring),
        *_served(figures),
        *_pages(figures.pages),
        [f"last {figures.days} days", f"shown {figures.exposures:,}, used {figures.uses:,}"],
    ]
    print_table(rows)


def _folders(scores: Mapping[str, float]) -> list[list[str]]:
    """The row of how recent, important and busy each project is."""
    said = ", ".join(f"{name or 'everywhere'} {score:.2f}" for name, score in scores.items())
    return [["relevance", said]] if said else []


def _decided(figures: Figures) -> list[list[str]]:
    """What the gate decided, and on which scale it reads another model's cosines."""
    rows = [["gate", _shares(figures.actions)]]
    whole = sum(figures.actions.values())
    if whole:
        found = counted(figures.contradictions, "contradiction")
        said = f"{counted(whole, 'decision')}, {found}"
        if figures.similarity is not None:
            said += f", similarity {figures.similarity:.2f} on the average"
        rows.append(["", said])
    if figures.calibration.get("translated"):
        cosines = figures.calibration["cosines"]
        pairs = ", ".join(f"{one} is {cosine:.3f}" for one, cosine in cosines.items())
        measured = counted(int(figures.calibration["memories"]), "memory", "memories")
        rows.append(["calibration", f"this model was measured on {measured}: a similarity of"])
        rows.append(["", f"{pairs} as its cosine"])
    return rows


def _served(figures: Figures) -> list[list[str]]:
    """How much of what agents were shown unasked they cited, and what waits for a person."""
    rows: list[list[str]] = []
    if figures.shown:
        share = figures.cited / figures.shown
        said = f"{figures.shown:,} shown unasked, {figures.cited:,} cited ({share:.0%})"
        rows.append(["agents", said])
    if figures.proposals:
        rows.append(["proposals", _tally(figures.proposals)])
    return rows


def _pages(told: Mapping[str, int]) -> list[list[str]]:
    """What starts of sessions were told, and how many of its lines were opened."""
    if not told.get("starts"):
        return []
    said = (
        f"{counted(told['starts'], 'start')}, {told['characters']:,} characters on the average,"
        f" {told['longest']:,} at most"
    )
    if lines := told["lines"]:
        opened = told["opened"]
        said += f"; {counted(lines, 'line')}, {opened:,} opened ({opened / lines:.0%})"
    return [["pages", said]]


def _tally(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in found.items() if count) or "none"


def _shares(found: dict[str, int]) -> str:
    """Counts with their share of the whole."""
    whole = sum(found.values())
    shares = (f"{name} {n:,} ({100 * n / whole:.0f} %)" for name, n in found.items() if n)
    return ", ".join(shares) or "none"


def _graph(graph: dict[str, Any]) -> list[list[str]]:
    """How well the memories are connected, in three lines."""
    if not graph:
        return []
    edges, nodes = graph["edges"], graph["nodes"]
    said = f"{counted(edges, 'link')} between {counted(nodes, 'memory', 'memories')}"
    wanted = [
        f"{count:,} more for {name}"
        for name, count in (("moderate", graph["needed"]), ("dense", graph["to_dense"]))
        if count
    ]
    density = f"{graph['class']}, {graph['density']:.2f} links a memory in it"
    shares = (
        f"{graph['coverage']:.0%} of all memories have a link;"
        f" {graph['mean_degree']:.1f} links at each"
    )
    alike = (
        f"{counted(graph.get('associations', 0), 'pair')} of memories that are alike,"
        f" {graph.get('associated', 0):,} in one"
    )
    if "uncounted" in graph:
        return [["graph", f"could not be counted: {graph['uncounted']}"]]
    return [
        ["graph", f"{said} ({_tally(graph['relations'])})"],
        ["density", f"{density} ({'; '.join(wanted)})" if wanted else density],
        ["coverage", shares],
        ["associations", alike],
    ]


def _in_memory(held: Mapping[str, int]) -> list[list[str]]:
    """What recall searches without the disk."""
    if not held:
        return []
    memories = held["memories"]
    each = f" ({held['words'] // memories:,} B a memory)" if memories else ""
    words = f"words {_size(held['words'])}{each}" if memories else "no words: FTS5 answers"
    rest = f"vectors {_size(held['vectors'])}, phrases {_size(held.get('phrases', 0))}"
    return [["in memory", f"{words}, {rest}"]]


def _on_disk(held: Mapping[str, int]) -> list[list[str]]:
    """What lies in the home beside the database."""
    if not held:
        return []
    beside = [f"{name} {_size(size)}" for name, size in held.items() if name != "database"]
    return [["on disk", ", ".join(beside)]]


def _archival(figures: Mapping[str, Any]) -> list[list[str]]:
    """What the archivist looked at, and what was put away and brought back since ever."""
    if not figures.get("lastScanTime") and not figures.get("totalArchived"):
        return []
    said = (
        f"{figures['totalScanned']:,} looked at, {figures['totalArchived']:,} put away,"
        f" {figures['totalUnarchived']:,} brought back"
    )
    last, errors = figures.get("lastScanTime"), figures["errors"]
    looked = f"; last look {age(now() - last)}" if last else ""
    failed = f"; {counted(errors, 'look')} failed" if errors else ""
    return [["archive", said + looked + failed]]


def _last_answers(tally: Mapping[str, int]) -> list[list[str]]:
    """Questions since the daemon began that the last answers served, and what became of those."""
    if not tally.get("hits", 0) + tally.get("misses", 0):
        return []
    asked = f"{counted(tally['hits'], 'question')} asked again, {tally['misses']:,} answered anew"
    dropped = f"{tally['evictions']:,} made room, {tally['invalidations']:,} out of date"
    return [["last answers", f"{tally['kept']:,} kept: {asked}; {dropped}"]]


def _scoring(seen: Mapping[str, Any]) -> list[list[str]]:
    """Changes of scores by the stages, as one question in twenty tells."""
    if not seen.get("observations"):
        return []
    rows = counted(seen["observations"], "score")
    said = f"{rows} of 5 % of {counted(seen['questions'], 'question')}"
    said += f": {seen['average_change']:+.3f} by all stages"
    moved = f"{seen['raised']:,} raised, {seen['lowered']:,} lowered"
    return [["scoring", f"{said}; {moved}"]]


def _size(count: int) -> str:
    for size, unit in SIZES:
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
