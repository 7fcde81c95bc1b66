"""Turns: what a person said, up to the answer that settled it.

Prompts that got no answer of their own (the work was interrupted, or a choice was offered in the
middle) belong to the next one. What a client wrote by itself is nobody's word, but what it is
answered with is an answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from actors.policy.events.events import ASKING, Event, EventKind, mapping

SAID: Final = 12  # prompts and choices of one turn; the first leave

_SETTLING: Final = frozenset({EventKind.TURN_END, EventKind.SESSION_END})


@dataclass(frozen=True, slots=True)
class Exchange:
    """Words that are not answered yet, and the event in which they began."""

    said: tuple[str, ...]
    first_seq: int


NOTHING_SAID: Final = Exchange((), 0)


def after(turn: Exchange, event: Event, seq: int) -> tuple[Exchange, Exchange | None]:
    """The turn after this event, and the one that it settles, if it does."""
    if event.kind in _SETTLING:
        settled = turn if turn.said else Exchange((), seq)
        return NOTHING_SAID, settled if turn.said or event.message else None
    said = tuple(_said(event))
    if not said:
        return turn, None
    return Exchange((*turn.said, *said)[-SAID:], turn.first_seq or seq), None


def _said(event: Event) -> Iterator[str]:
    """Words of a person in this event: a prompt, or choices between what was offered."""
    if event.kind is EventKind.PROMPT:
        if event.is_typed_prompt and event.prompt.strip():
            yield event.prompt.strip()
    elif event.kind is EventKind.TOOL and event.tool is not None and event.tool.name == ASKING:
        for question, answer in mapping(mapping(event.tool.response).get("answers")).items():
            if isinstance(answer, str):
                yield f"Asked “{question}”: {answer}"
