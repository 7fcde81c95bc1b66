"""Conclusions of an agent at the end of a turn.

Only what names a thing and says why it is so, or what it does not do. An agent's guess is not
knowledge, and a list of what was done is in the commits.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from actors.policy.statements.candidates import Candidate, Origin
from actors.policy.statements.claims import is_hedged
from actors.policy.statements.explanations import explains, weight
from actors.policy.text.wording import one_line, sentence, sentences
from actors.policy.text.words import caseless

CONCLUSIONS: Final = 1  # of one message

_LEADER: Final = caseless(
    r"^(?:(?:it )?turn(?:s|ed) out (?:that )?|(?:the |my )?(?:key )?(?:insight|finding|gotcha|bug|point)"
    r"(?: here)? (?:is|was)(?: that)?:? |(?:the )?(?:bug|insight|gotcha|note|caveat): )"
)
_CONSEQUENCE: Final = caseless(r"(?:the )?(?:impact|result|effect|status)\s*:")
_MENDED: Final = caseless(
    r"(?:fixed|solved|resolved) (?:by|with) |(?:the )?(?:fix|solution)(?: is| was|:) "
)


def of_message(message: str) -> list[Candidate]:
    """Causes, reasons and limits that the agent states at the end of a turn: the best one."""
    if "<summary>" in message or "<analysis>" in message:
        return []  # the compaction's own turn; PostCompact brings it
    lines = sentences(message)
    told = [
        f"{sentence(line)} {following}"
        if _MENDED.match(following) and not following.endswith(":")
        else line
        for line, following in pairwise([*lines, ""])
        if _is_stated(line)
    ]
    return [drafted("conclusion", line, "discovery") for line in best(told, CONCLUSIONS)]


def best(worth: Iterable[str], most: int) -> list[str]:
    """The lines that explain most, in their order."""
    lines = list(dict.fromkeys(worth))
    best = sorted(lines, key=weight, reverse=True)[:most]
    return [line for line in lines if line in best]


def _is_stated(line: str) -> bool:
    if "?" in line or _CONSEQUENCE.match(line):
        return False
    return not is_hedged(line) and explains(line)


def drafted(rule: str, line: str, kind: str) -> Candidate:
    text = one_line(sentence(_LEADER.sub("", line).removesuffix(":")))
    return Candidate(rule, text, kind, "declarative", 0.6, "discovery", Origin.AGENT)
