"""Where a session stopped, in few words: what was asked last, and how the answer ended."""

from typing import Final

from actors.policy.text.budget import shortened
from actors.policy.text.wording import one_line

ASKED: Final = 160  # characters
ENDING: Final = 400  # characters: the last paragraphs say what is open
MARKUP: Final = "#*_` "


def where_it_stopped(asked: str, answer: str) -> str:
    """Say what was asked last and how the answer ended; "" where there was none."""
    said = ending(answer)
    if not said:
        return ""
    question = f"The user's last prompt was “{one_line(asked, ASKED)}”; the" if asked else "The"
    return f"{question} answer ended: {said}"


def ending(text: str) -> str:
    """The last paragraphs of a text, at most ``ENDING`` characters."""
    kept: list[str] = []
    room = ENDING
    for part in reversed(text.split("\n\n")):
        line = one_line(part.strip(MARKUP))
        if not line:
            continue
        if len(line) > room:
            kept += [shortened(line, room)] if not kept else []
            break
        kept.append(line)
        room -= len(line) + 1
    return " ".join(reversed(kept))
