"""Turns: a person's words, up to the answer to them.

Prompts without an answer of their own (the work was interrupted, or a choice was offered in the
middle) belong to the next one. A client's own messages are nobody's word, but the answer to one is
an answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from actors.policy.events.events import ASKING, Event, EventKind, mapping

PROMPTS: Final = 12  # prompts and choices of one turn; the first leave

_SETTLING: Final = frozenset({EventKind.TURN_END, EventKind.SESSION_END})


@dataclass(frozen=True, slots=True)
class Exchange:
    """Words not answered yet, and their first event."""

    said: tuple[str, ...]
    first_seq: int


NOTHING_SAID: Final = Exchange((), 0)


def after(turn: Exchange, event: Event, seq: int) -> tuple[Exchange, Exchange | None]:
    """The turn after this event, and the turn settled by it, if any."""
    if event.kind in _SETTLING:
        settled = turn if turn.said else Exchange((), seq)
        return NOTHING_SAID, settled if turn.said or event.message else None
    said = tuple(_said(event))
    if not said:
        return turn, None
    return Exchange((*turn.said, *said)[-PROMPTS:], turn.first_seq or seq), None


def _said(event: Event) -> Iterator[str]:
    """Words of a person in this event: a prompt, or choices among offered options."""
    if event.kind is EventKind.PROMPT:
        if event.is_typed_prompt and event.prompt.strip():
            yield event.prompt.strip()
    elif event.kind is EventKind.TOOL and event.tool is not None and event.tool.name == ASKING:
        for question, answer in mapping(mapping(event.tool.response).get("answers")).items():
            if isinstance(answer, str):
                yield f"Asked “{question}”: {answer}"
