"""The gate's weights, fitted again: the recipe of docs/adr/0007.

    python -m lab.benchmarks.fit_gate --data DIR --notes FILE [--model FILE] [--vectors FILE] [--print]

`--data` is the folder of `lab.benchmarks.gate`; `--notes` lines of `{"text", "group"}`, gzip or plain:
real notes in the order of their time, of which neighbours (cosine .5 to .8) count as new. The
third part, pairs of coding notes from templates, is in `lab.benchmarks.gate_templates`.

Rows are parted in two by a hash of the stored text, notes by their group. What is fitted on one
half is judged by `gate.decide` on the other, beside the weights that ship; then all rows are
fitted, and `--print` writes the weights in the form of actors/policy/gate/gate_weights.py. Multinomial
logistic regression with an L2 penalty on standardised numbers, by Newton's method: the penalty
makes the problem strictly convex, so there is one answer, whatever solves it.

`--vectors` keeps the embeddings in a file, as they take most of the time (one CPU, about 4 minutes).
"""

import argparse
import hashlib
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import trio

from actors.policy.gate import gate_weights
from actors.policy.gate.gate import DEFAULT
from actors.policy.gate.gate_features import NAMES, Text, features, read
from daemon.embedding.provision import found
from daemon.home import current_home
from lab.benchmarks import gate, sets
from lab.benchmarks.gate import OUTCOME_OF_LABEL, Vector
from lab.benchmarks.gate_templates import pairs as templates

CLASSES: Final = ("reinforce", "conflict", "new", "refines")
PENALTY: Final = 0.3  # C: the loss of all rows counts so much against half the squared weights
WEIGHT: Final = {"pairs": 1.0, "refines": 0.5, "notes": 2.0, "templates": 1.0}
NEIGHBOURS: Final = 3  # of each note, the nearest before it
NEAR: Final = (0.5, 0.8)  # cosine: farther ones are no candidates, nearer ones may say the same
STEPS: Final = 50
ENOUGH: Final = 1e-9  # of the gradient's length

Matrix = np.ndarray[Any, np.dtype[np.float64]]
Labels = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Rows:
    """Numbers of pairs, what they should come to, how much each counts, and its half."""

    numbers: Matrix
    labels: Labels
    weights: Matrix
    halves: Labels  # 0 or 1; 2 is in both

    def fitted_on(self, half: int) -> "Rows":
        """The rows that a fit on this half may see."""
        kept = (self.halves == half) | (self.halves == 2)
        return Rows(self.numbers[kept], self.labels[kept], self.weights[kept], self.halves[kept])


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted rule: an intercept for each class, and a row of weights."""

    intercept: Matrix
    columns: Matrix  # classes by numbers


@dataclass(frozen=True, slots=True)
class Labelled:
    """A pair of the public sets; the label is one of the benchmark's or refine."""

    stored: str
    new: str
    label: str


def main() -> int:
    """Fit, judge, compare with what ships."""
    parser = argparse.ArgumentParser(description="Fit the gate's weights again.")
    parser.add_argument("--data", type=Path, required=True, help="folder with the sets of pairs")
    parser.add_argument("--notes", type=Path, required=True, help="real notes, JSON lines")
    parser.add_argument("--model", type=Path, help="a GGUF file; else the installed default")
    parser.add_argument("--vectors", type=Path, help="keep embeddings here (.npz)")
    parser.add_argument("--print", action="store_true", help="write the weights as Python")
    options = parser.parse_args()
    labelled = [
        Labelled(row["a"], row["b"], row["label"])
        for row in sets.rows(options.data / "gate.dev.jsonl.gz")
    ]
    _, facts = gate.read(options.data)
    notes = [(str(row["group"]), str(row["text"])) for row in sets.rows(options.notes)]
    listed = gate.listed_rows()
    texts = [text for row in labelled for text in (row.stored, row.new)]
    texts += [text for pair in (*facts, *templates()) for text in pair[:2]]
    texts += [text for _, text in notes]
    texts += [text for several in listed for text in several]
    vectors = _vectors(options, list(dict.fromkeys(texts)))
    if vectors is None:
        print("skipped: no embedding model here; `reverie model fetch` gets it")
        return 0
    rows = all_rows(labelled, notes, vectors)
    print(f"{len(rows.labels)} rows to fit on, {len(NAMES)} numbers each")
    for half in (0, 1):
        found = fitted(rows.fitted_on(half))
        unseen = _scored(labelled, 1 - half)
        print(f"\n=== fitted on half {half}, judged on half {1 - half}")
        with taken_for_shipped(found):
            judged(unseen, facts, listed, vectors)
        print(f"\n=== the weights that ship, on half {1 - half}")
        judged(unseen, facts, listed, vectors)
    whole = fitted(rows)
    print("\n=== fitted on all rows, judged on all rows")
    with taken_for_shipped(whole):
        judged(_scored(labelled, None), facts, listed, vectors)
    compare(whole)
    if options.print:
        print(as_python(whole))
    return 0


def judged(
    pairs: Sequence[gate.Pair],
    facts: Sequence[gate.Pair],
    listed: Sequence[Sequence[str]],
    vectors: Mapping[str, Vector],
) -> None:
    """Print what ``gate.decide`` makes of these, with the weights as they are now."""
    gate.confusion("default", DEFAULT, pairs, vectors)
    gate.judged_facts(facts, vectors)
    gate.imported(listed, vectors)


def all_rows(
    labelled: Sequence[Labelled], notes: Sequence[tuple[str, str]], vectors: Mapping[str, Vector]
) -> Rows:
    """The three parts, one below the other."""
    read_once = {text: read(text) for text in vectors}
    groups = {group: place % 2 for place, group in enumerate(sorted({g for g, _ in notes}))}
    made: list[tuple[str, str, str, float, int]] = []
    for row in labelled:
        outcome = OUTCOME_OF_LABEL.get(row.label, "refines")
        weight = WEIGHT["refines" if outcome == "refines" else "pairs"]
        made.append((row.stored, row.new, outcome, weight, half_of(row.stored)))
    made += [(*pair[:3], WEIGHT["templates"], 2) for pair in templates()]
    made += [
        (old, new, "new", WEIGHT["notes"], groups[group])
        for old, new, group in neighbours(notes, vectors)
    ]
    return Rows(
        np.array([_numbers(one[0], one[1], read_once, vectors) for one in made]),
        np.array([CLASSES.index(one[2]) for one in made]),
        np.array([one[3] for one in made]),
        np.array([one[4] for one in made]),
    )


def neighbours(
    notes: Sequence[tuple[str, str]], vectors: Mapping[str, Vector]
) -> Iterator[tuple[str, str, str]]:
    """Each note with the nearest before it in its group, unless they say the same or nothing."""
    before: dict[str, list[str]] = defaultdict(list)
    for group, text in notes:
        ranked = sorted(
            ((float(vectors[text] @ vectors[old]), old) for old in before[group]), reverse=True
        )
        for cosine, old in ranked[:NEIGHBOURS]:
            if NEAR[0] <= cosine < NEAR[1]:
                yield old, text, group
        before[group].append(text)


def half_of(stored: str) -> int:
    """Half that a pair belongs to; the same for every pair of a stored text."""
    return hashlib.md5(stored.encode(), usedforsecurity=False).digest()[0] & 1


def fitted(rows: Rows, penalty: float = PENALTY) -> Weights:
    """The weights with the least of ``penalty`` times the loss plus half the squared weights.

    Of numbers as they are, though fitted on standardised ones; those of a number add up to 0.
    """
    mean, spread = rows.numbers.mean(axis=0), rows.numbers.std(axis=0)
    spread[spread == 0] = 1.0
    standard = np.hstack([np.ones((len(rows.labels), 1)), (rows.numbers - mean) / spread])
    target = np.eye(len(CLASSES))[rows.labels]
    held = np.ones(standard.shape[1])
    held[0] = 0.0  # an intercept is free
    found = np.zeros((len(CLASSES), standard.shape[1]))
    for _ in range(STEPS):
        shares = _shares(standard @ found.T)
        slope = penalty * ((shares - target) * rows.weights[:, None]).T @ standard + held * found
        if np.linalg.norm(slope) < ENOUGH * len(rows.labels):
            break
        found = _stepped(found, slope, _curvature(standard, shares, rows, penalty, held), rows,
                         standard, target, penalty, held)  # fmt: skip
    found -= found.mean(axis=0)
    columns = found[:, 1:] / spread
    return Weights(found[:, 0] - columns @ mean, columns)


def _stepped(
    found: Matrix, slope: Matrix, curvature: Matrix, rows: Rows, standard: Matrix, target: Matrix,
    penalty: float, held: Matrix,
) -> Matrix:  # fmt: skip
    """Newton's step, halved until the loss falls."""
    whole = np.linalg.lstsq(curvature, slope.ravel(), rcond=None)[0].reshape(found.shape)
    before = _loss(found, rows, standard, target, penalty, held)
    share = 1.0
    while share > 1e-6:
        tried: Matrix = found - share * whole
        if _loss(tried, rows, standard, target, penalty, held) <= before:
            return tried
        share /= 2
    return found


def _loss(
    found: Matrix, rows: Rows, standard: Matrix, target: Matrix, penalty: float, held: Matrix
) -> float:
    logs = np.log(np.maximum(_shares(standard @ found.T), 1e-300))
    said = float(-(rows.weights * (target * logs).sum(axis=1)).sum())
    return penalty * said + 0.5 * float((held * found**2).sum())


def _curvature(
    standard: Matrix, shares: Matrix, rows: Rows, penalty: float, held: Matrix
) -> Matrix:
    """Second derivatives, classes by numbers in both directions."""
    size = standard.shape[1]
    whole = np.zeros((len(CLASSES) * size, len(CLASSES) * size))
    for one in range(len(CLASSES)):
        for other in range(len(CLASSES)):
            mixed = shares[:, one] * (float(one == other) - shares[:, other])
            block = penalty * (standard * (rows.weights * mixed)[:, None]).T @ standard
            if one == other:
                block += np.diag(held)
            whole[one * size : (one + 1) * size, other * size : (other + 1) * size] = block
    return whole


def _shares(sums: Matrix) -> Matrix:
    raised = np.exp(sums - sums.max(axis=1, keepdims=True))
    divided: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return divided


@contextmanager
def taken_for_shipped(weights: Weights) -> Generator[None]:
    """The gate decides by these weights until the end of the block."""
    shipped = {name: getattr(gate_weights, name) for name in ("INTERCEPT", "_COLUMNS")}
    columns = tuple(tuple(map(float, column)) for column in weights.columns)
    try:
        setattr(gate_weights, "INTERCEPT", tuple(weights.intercept.tolist()))  # noqa: B010
        setattr(gate_weights, "_COLUMNS", columns)  # noqa: B010
        yield
    finally:
        for name, value in shipped.items():
            setattr(gate_weights, name, value)


def compare(weights: Weights) -> None:
    """Print the distance of the weights from those that ship, which have two digits."""
    shipped = np.array([gate_weights.WEIGHTS[name] for name in NAMES]).T
    apart = np.abs(weights.columns - shipped)
    worst = int(apart.max(axis=0).argmax())
    intercepts = np.abs(weights.intercept - np.array(gate_weights.INTERCEPT))
    print(
        f"\nshipped weights: {apart.mean():.4f} apart on the average, {apart.max():.3f} at most"
        f" ({NAMES[worst]}); intercepts {intercepts.max():.3f} at most"
    )


def as_python(weights: Weights) -> str:
    """The two tables of actors/policy/gate/gate_weights.py."""
    intercept = ", ".join(f"{value:.2f}" for value in weights.intercept)
    table = [
        f'        "{name}": ({", ".join(f"{value:.2f}" for value in column)}),'
        for name, column in zip(NAMES, weights.columns.T, strict=True)
    ]
    return "\n".join([f"INTERCEPT: Final = ({intercept})", "    {", *table, "    }"])


def _scored(labelled: Sequence[Labelled], half: int | None) -> list[gate.Pair]:
    """The pairs that have one of the three outcomes, of one half or of both."""
    return [
        (row.stored, row.new, OUTCOME_OF_LABEL[row.label])
        for row in labelled
        if row.label in OUTCOME_OF_LABEL and half in (None, half_of(row.stored))
    ]


def _numbers(
    old: str, new: str, read_once: Mapping[str, Text], vectors: Mapping[str, Vector]
) -> tuple[float, ...]:
    return features(read_once[old], read_once[new], float(vectors[old] @ vectors[new]))


def _vectors(options: argparse.Namespace, texts: Sequence[str]) -> dict[str, Vector] | None:
    """The texts' vectors: those that were kept in the file, the rest made now."""
    kept: Path | None = options.vectors
    known: dict[str, Vector] = {}
    if kept is not None and kept.exists():
        with np.load(kept) as file:
            known = dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
    missing = [text for text in texts if text not in known]
    if not missing:
        return known
    model = options.model or found(current_home(), "")
    if model is None:
        return None
    known |= trio.run(gate.embedded, model, missing)
    if kept is not None:
        np.savez(kept, texts=np.array(list(known)), vectors=np.stack(list(known.values())))
    return known


if __name__ == "__main__":
    sys.exit(main())
