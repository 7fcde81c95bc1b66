"""Remarks: what a prompt says against something known, where no value can be put in its place.

"Not any more, artifactory", "rather than table.go let's do cmd/list.go", "you're wrong about the
websockets": the words share too little with what is known, or it is an order, which may not hold
beyond the task. So nothing ends. The remark is kept beside the one memory that is clearly nearest
to it and quotes that one, so that whoever is told of it is told both and can judge: it may be of a
sibling ("logs are kept 7 days" of the artifacts), and does not say which holds.
"""

import re
from collections.abc import Mapping
from typing import Final

from actors.policy.gate.said import READ, said
from actors.policy.text.pasted import typed
from actors.policy.text.plain_speech import spelled, with_quotations, without_quotations
from actors.policy.text.wording import one_line, prose, sentences

BRIEF: Final = 600  # characters of a prompt: a longer one specifies a task
NEAR: Final = 0.4  # cosine from which a memory may be meant, on the scale of the default model
APART: Final = 0.15  # how much nearer it must be than the second

_AGAINST: Final = re.compile(
    r"\b(?:instead of|rather than|(?:don['’]t|do not) (?:want|need)|wrong|incorrect|makes more sense"
    r"|let['’]s (?:remove|drop|go with))\b",
    re.IGNORECASE,
)


def remark_in(prompt: str) -> str:
    """Return what a brief typed prompt says against something known; empty when it says nothing.

    It is all of the prompt, or the sentence and the one behind it when that is long.
    """
    own = prose(typed(prompt))
    if len(own) > BRIEF:
        return ""
    masked = without_quotations(own)
    lines = [one_line(spelled(line)) for line in sentences(masked.text)]
    place = next((at for at, line in enumerate(lines) if _is_against(line)), None)
    if place is None:
        return ""
    whole = " ".join(lines)
    near = whole if len(whole) <= READ else " ".join(lines[place : place + 2])
    return "" if "?" in near else one_line(with_quotations(near, masked.quotations), READ)


def concerned(cosines: Mapping[int, float]) -> int | None:
    """Return the memory that a remark is about: near to it, and clearly nearer than the second."""
    best = sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0]))[:2]
    if not best or best[0][1] < NEAR:
        return None
    return best[0][0] if len(best) == 1 or best[0][1] - best[1][1] >= APART else None


def beside(remark: str, stored: str) -> str:
    """Return the text that is kept of a remark, with the memory that it is about."""
    return f"{remark} (known before: “{stored}”)"


def is_beside(text: str, stored: str) -> bool:
    """Tell whether a text is what is kept of a remark about that memory."""
    return text.endswith(f" (known before: “{stored}”)")


def _is_against(line: str) -> bool:
    """Tell whether a sentence says that something is otherwise, be it as an order."""
    if len(line) > READ or line.endswith("?"):
        return False
    told = said(line)
    changed = told is not None and bool(told.marked or told.pairs or told.left)
    return changed or _AGAINST.search(line) is not None
