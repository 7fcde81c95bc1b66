"""Which of recall's channels and readings of a query are on (K01).

What is on by default won, or lost nowhere, in the tables of docs/recall-ablation.md.
"""

from dataclasses import dataclass, fields
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """A switch each, under the name that `--explain` gives its time."""

    graph: bool = True  # what is linked with what was found (K05)
    degree: bool = False  # memories with many causal links first (K06, L05)
    causes: bool = False  # links among the results raise them (K17): the graph does it better
    spelling: bool = True  # misspelt words are looked for as what they mean (K34)
    anchors: bool = True  # "before the release": the event is looked up
    expansion: bool = False  # also with a word exchanged for its synonym (K15)
    hyde: bool = False  # also by the middle of beginnings of answers (K33)
    routing: bool = False  # a question that asks little does not follow links (K18, K19)
    intent: bool = False  # what is asked for decides how much results vary (K13, K12)


NAMES: Final = tuple(one.name for one in fields(Settings))
