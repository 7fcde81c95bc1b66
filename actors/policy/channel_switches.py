"""Which of recall's channels and readings of a query are on (K01).

What is on by default won, or lost nowhere, in the tables of docs/recall-ablation.md.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """A switch each, under the name that `--explain` gives its time."""

    graph: bool = True  # what is linked with what was found (K05)
    degree: bool = False  # memories with many causal links first (K06, L05)
    causes: bool = False  # links among the results raise them (K17): the graph does it better
    spelling: bool = True  # misspelt words are looked for as what they mean (K34)
    anchors: bool = True  # "before the release": the event is looked up


NAMES: Final = tuple(one.name for one in fields(Settings))


def without(settings: Settings, names: Collection[str]) -> Settings:
    """The switches with these off, for one question: so before and after can be compared."""
    return replace(settings, **{name: False for name in NAMES if name in names})
