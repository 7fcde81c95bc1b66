"""Decisions of the prediction-error gate beside people's judgements.

    python -m lab.benchmarks.gate --data DIR [--models DIR]

DIR holds ``gate.dev.jsonl.gz`` and ``devfacts.dev.jsonl.gz``. A row of the first is ``{"a": stored,
"b": new, "label"}``, label one of duplicate, contradict, update, related, unrelated, refine (left
out); of the second ``{"existing", "incoming": {"subject", "predicate", "object"}, "expected"}``.
They are made of public sets that may not be shipped (SICK, MSRP, STS benchmark, Breaking NLI,
FEVER-Symmetric, BEAM; ClaudeMemory's truth maintenance cases); docs/adr/0007 says what was found on
them. The weights were fitted on these very rows, so these are not figures for unseen rows: the
record has those. A real daemon with the real model judges them, as for ``reverie gate --pairs``.
Exit 1 when a target is missed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import trio

from actors.policy.gate.gate import Action
from daemon.home import current_home
from daemon.requests.transfer import Judge, Pair
from lab.benchmarks import sets

PAGE: Final = 200  # pairs judged at once
# At least, or at most where the sign is negative.
TARGETS: Final = {
    "macro-F1": 0.75,
    "contradictions reinforced": -0.05,
    "duplicates reinforced": 0.60,
    "facts": 0.90,
}
OUTCOMES: Final = ("reinforce", "conflict", "new")
OUTCOME_OF_LABEL: Final = {
    "duplicate": "reinforce",
    "contradict": "conflict",
    "update": "conflict",
    "related": "new",
    "unrelated": "new",
}
OUTCOME_OF_ACTION: Final = {
    Action.REINFORCE: "reinforce",
    Action.UPDATE: "conflict",
    Action.SUPERSEDE: "conflict",
    Action.CREATE: "new",
    Action.CREATE_LINKED: "new",
}
ACTIONS_OF_FACT: Final = {
    "supersede": {Action.SUPERSEDE},
    "conflict": {Action.SUPERSEDE},
    "corroborate": {Action.REINFORCE},
    "accumulate": {Action.CREATE, Action.CREATE_LINKED},
}


Expected = list[tuple[Pair, str]]  # a stored and a new text, and what should be done


def read(folder: Path) -> tuple[Expected, Expected]:
    """The pairs of sentences, and those of facts."""
    pairs = [
        (_pair(row["a"], row["b"]), OUTCOME_OF_LABEL[row["label"]])
        for row in sets.rows(folder / "gate.dev.jsonl.gz")
        if row["label"] in OUTCOME_OF_LABEL
    ]
    facts = [
        (_pair(_fact(row["existing"]), _fact(row["incoming"])), str(row["expected"]))
        for row in sets.rows(folder / "devfacts.dev.jsonl.gz")
    ]
    return pairs, facts


def _pair(stored: str, new: str) -> Pair:
    return Pair(id="", existing=stored, incoming=new)


def _fact(fact: Mapping[str, str]) -> str:
    return f"{fact['subject']} {fact['predicate']}: {fact['object']}"


async def decided(models: Path, pairs: Sequence[Pair]) -> list[Action]:
    """Decisions of a daemon's gate; raises ``SystemExit`` when it has no vectors."""
    actions: list[Action] = []
    async with sets.remembered([], models) as (client, _):
        for start in range(0, len(pairs), PAGE):
            judge = Judge(pairs=list(pairs[start : start + PAGE]))
            judged = await client.ask(judge, within=sets.PATIENCE)
            if any(one.similarity is None for one in judged.verdicts):
                raise SystemExit("there is no model: run make setup, or name one with --models")
            actions += [Action(one.action) for one in judged.verdicts]
    return actions


def figures(pairs: Expected, facts: Expected, actions: Sequence[Action]) -> dict[str, float]:
    """Print what is expected (rows) against what is done (columns); the figures of it."""
    seen = Counter(
        (expected, OUTCOME_OF_ACTION[action])
        for (_, expected), action in zip(pairs, actions, strict=False)
    )
    print(f"{'':14}" + "".join(f"{outcome:>12}" for outcome in OUTCOMES))
    for expected in OUTCOMES:
        print(f"{expected:14}" + "".join(f"{seen[expected, it]:12}" for it in OUTCOMES))
    right = sum(
        action in ACTIONS_OF_FACT[expected]
        for (_, expected), action in zip(facts, actions[len(pairs) :], strict=True)
    )
    return {
        "macro-F1": sum(f1(seen, outcome) for outcome in OUTCOMES) / len(OUTCOMES),
        "contradictions reinforced": share(seen, "conflict"),
        "duplicates reinforced": share(seen, "reinforce"),
        "facts": right / max(1, len(facts)),
    }


def f1(seen: Counter[tuple[str, str]], outcome: str) -> float:
    """Harmonic mean of precision and recall of one outcome."""
    right = seen[outcome, outcome]
    done = sum(seen[other, outcome] for other in OUTCOMES)
    meant = sum(seen[outcome, other] for other in OUTCOMES)
    return 2 * right / (done + meant) if done + meant else 0.0


def share(seen: Counter[tuple[str, str]], expected: str) -> float:
    """Share of the rows of an outcome that are reinforced."""
    return seen[expected, "reinforce"] / max(1, sum(seen[expected, it] for it in OUTCOMES))


def main() -> int:
    """Print the table, each figure beside its target, and which were missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the two sets")
    parser.add_argument("--models", type=Path, help="a home's models folder; the user's own")
    options = parser.parse_args()
    pairs, facts = read(options.data)
    models = options.models or current_home().models
    actions = trio.run(decided, models, [pair for pair, _ in (*pairs, *facts)])
    missed = 0
    for name, value in figures(pairs, facts, actions).items():
        target = TARGETS[name]
        is_met = value >= target if target > 0 else value <= -target
        missed += not is_met
        wanted = f"{'>=' if target > 0 else '<='} {abs(target)}"
        print(f"{name:28}{value:8.3f}   target {wanted}{'' if is_met else '   MISSED'}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
