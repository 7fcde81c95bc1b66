"""How much of each result an answer holds, and how many of them (K22, K23, K35)."""

from __future__ import annotations

import msgspec

from actors.policy.recall.complexity import complexity
from actors.policy.recall.detail import Level, answer
from actors.policy.text import token_budget
from daemon.requests.recall import Recall, Recalled

AUTO = 0  # tokens: as many as the question's complexity calls for (K23)


def detailed(found: Recalled, request: Recall) -> Recalled:
    """The answer at the level and within the tokens that were asked for.

    What is not there whole is named as expandable: `show` has it. A level below full has 2,000
    tokens unless it says otherwise; a question by complexity 1,500, 2,500 or 4,000.
    """
    level = Level(request.detail)
    if level is Level.FULL and request.tokens is None:
        return found
    fits = answer(
        ((place, one.text) for place, one in enumerate(found.results)), level, _tokens(request)
    )
    kept = [
        msgspec.structs.replace(found.results[one.identity], text=one.text, whole=one.whole)
        for one in fits.shown
    ]
    expandable = [found.results[place].id for place in fits.expandable]
    return msgspec.structs.replace(found, results=kept, expandable=expandable, tokens=fits.tokens)


def _tokens(request: Recall) -> int:
    if request.tokens == AUTO:
        return token_budget.budget(complexity(request.query).tier.value).tokens
    return token_budget.DEFAULT if request.tokens is None else token_budget.capped(request.tokens)
