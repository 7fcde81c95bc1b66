"""Conclusions of an agent at the end of a turn, and what the summary of a compaction tells.

Only what names a thing and says why it is so, or what it does not do. An agent's guess is not
knowledge, and a list of what was done is in the commits.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from actors.policy.statements.candidates import Draft, Origin
from actors.policy.statements.claims import is_hedged
from actors.policy.statements.explanations import explains, explains_as_item, weight
from actors.policy.text.wording import one_line, sentence, sentences, specifics

CONCLUSIONS: Final = 1  # of one message
EXPLAINED: Final = 3  # items of one kind of one summary
ABOUT: Final = 560  # characters of what was asked
SUMMARY: Final = "session-summary"

_DECIDES: Final = re.compile(
    r"^(?:so )?we(?:['’]ve| have)? (?:decided|chose|opted|agreed) |^decision\s*:", re.IGNORECASE
)
_LEADER: Final = re.compile(
    r"^(?:(?:it )?turn(?:s|ed) out (?:that )?|(?:the |my )?(?:key )?(?:insight|finding|gotcha|bug|point)"
    r"(?: here)? (?:is|was)(?: that)?:? |(?:the )?(?:bug|insight|gotcha|note|caveat): )",
    re.IGNORECASE,
)
_MENDED: Final = re.compile(
    r"(?:fixed|solved|resolved) (?:by|with) |(?:the )?(?:fix|solution)(?: is| was|:) ",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(
    r"^[ \t]*(?:#+[ \t]*|\*\*)?\d{1,2}[.)][ \t]+\**([A-Z][\w ,&/()-]{2,50}?)\**:\**\s*(.*?)"
    r"(?=^[ \t]*(?:#+[ \t]*|\*\*)?\d{1,2}[.)][ \t]+\**[A-Z]|\Z)",
    re.MULTILINE | re.DOTALL,
)
# The parts of a summary that explain; the rest tells what was asked and done.
_EXPLAINS: Final = re.compile(r"error|concept|problem|decision|learn", re.IGNORECASE)
_ASKED: Final = re.compile(r"request|intent|goal", re.IGNORECASE)
_VERBATIM: Final = re.compile(r"user messages|files|pending|next|current", re.IGNORECASE)
_QUOTED: Final = re.compile(r"[\"“”]")
_CHOSEN: Final = re.compile(
    r"\b(?:approved|chose|decided|deciding|agreed|rejected)\b|\bcause (?:is|was)\b", re.IGNORECASE
)
# What was looked into, answered or sent, and by which steps: it is over with the session.
_OF_THE_SESSION: Final = re.compile(
    r"\A(?:(?:after|initially)\b[^,:]{0,60}[,:] |(?:first|next|then|finally),? )?"
    r"(?:(?:the )?user (?:also )?(?:wants?|wanted|asked|requested|needs?|needed) (?:(?:me|help|to|for) )*)?"
    r"(?:address|analy[sz]|ask|brainstorm|challeng|commit|confirm|continu|debug|discuss|examin|explor"
    r"|identif|investigat|know|learn|question|reassess|rebas|repl|research|respond|review|root-caus|see"
    r"|understand|verif|walk|work)(?:[a-z]?ing|e|y)?\b(?! (?:messages?|is|are|must|should)\b)"
    r"|\A(?:the )?(?:user|session) (?:began|challenged|continued|focused|invoked|started"
    r"|asked (?:how|if|what|whether|why))\b"
    r"|\b(?:prs?|pull requests?|feedback|reviews?|follow-?ups?|lint"
    r"|(?:this|previous|prior|earlier) (?:session|work|turn)s?|user turns?|turn \d+|in progress)\b"
    r"|\A(?:currently|continuation)\b|\A[^(]*\)|\A`?/\w+:\w",
    re.IGNORECASE,
)
# Who said what in a review, and what is being done about it.
_TOLD_AS_STORY: Final = re.compile(r"\bI (?:initially|first)\b|\bnow \w+ing\b")
# What the user settled, in the words of whoever wrote the summary.
_SETTLED: Final = re.compile(
    r"(?:[^:.]{3,60}: )?(?:the )?user(?: (?:has|had|also|then|explicitly|strongly|clearly|repeatedly))*"
    r" (?:decided|chose|insist(?:s|ed)|reject(?:s|ed)|declined|clarifie[sd]|specifie[sd]|require[sd]"
    r"|prefer(?:s|red)|corrected|caught|emphasi[sz]e[sd]|point(?:s|ed) out|do(?:es|esn['’]t|es not|id not"
    r"|idn['’]t) (?:not )?want|wants? (?!to (?:know|see|understand|brainstorm)\b)|(?:requested|asked for) (?:an? |no"
    r"|strict|only|that)|asked (?:to (?:enforce|keep|always|never|avoid|use|only|stop)|that|not))\b",
    re.IGNORECASE,
)
_ITEM: Final = re.compile(r"^([ \t]*)[-*•][ \t]+(\S.*)$", re.MULTILINE)
DEEP: Final = 4  # characters before an item that is said of the one above it, and more
_ANALYSIS: Final = re.compile(r"<analysis>.*?(?:</analysis>|\Z)", re.DOTALL)


def of_message(message: str) -> list[Draft]:
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
    return [
        _draft("conclusion", line, "decision" if _DECIDES.match(line) else "discovery")
        for line in _best(told, CONCLUSIONS)
    ]


def of_summary(summary: str) -> list[Draft]:
    """Return what a compaction's summary tells: what was asked, what the user settled, what explains.

    The first sentences of the request whole, and at most three items of each other kind.
    """
    sections = _SECTION.findall(_ANALYSIS.sub("", summary).rpartition("\nSummary:\n")[2])
    asked = [body for name, body in sections if _ASKED.search(name)][:1]
    items = [
        (_EXPLAINS.search(name) and len(before) <= DEEP, item.replace("**", "").strip())
        for name, body in sections
        if not _VERBATIM.search(name)
        for before, item in _ITEM.findall(body)
    ]
    settled = [item for _, item in items if _is_settled(item)]
    told = [item for may, item in items if may and explains_as_item(item) and not is_hedged(item)]
    return [
        *(_draft(SUMMARY, text, "state") for text in _about(asked)),
        *(_draft(SUMMARY, item, "decision") for item in settled[:EXPLAINED]),
        *(_draft(SUMMARY, item, "insight") for item in _best(told, EXPLAINED)),
    ]


def _about(asked: Iterable[str]) -> list[str]:
    """What the request requires, decides or found of a named thing, in whole sentences."""
    found: list[str] = []
    room = ABOUT
    lines = (line for body in asked for line in sentences(body))
    for line in (line for line in lines if not _QUOTED.search(line)):
        room -= len(line)
        if room < 0:
            break
        if _requires(line):
            found.append(line)
    while found and found[-1].endswith(":"):
        found.pop()  # it announces what does not follow
    told = " ".join(map(sentence, found))
    return [f"Session about: {told}"] if len(told.split()) >= 6 else []


def _requires(line: str) -> bool:
    concrete = specifics(line) or weight(line) or _SETTLED.match(line)
    return bool(concrete and (_CHOSEN.search(line) or not _OF_THE_SESSION.search(line)))


def _is_settled(item: str) -> bool:
    return (
        not _TOLD_AS_STORY.search(item)
        and _SETTLED.match(item) is not None
        and 8 <= len(item.split()) <= 70
        and not item.endswith((":", "?"))
    )


def _best(worth: Iterable[str], most: int) -> list[str]:
    """The lines that explain most, in their order."""
    lines = list(dict.fromkeys(worth))
    best = sorted(lines, key=weight, reverse=True)[:most]
    return [line for line in lines if line in best]


def _is_stated(line: str) -> bool:
    return not is_hedged(line) and (explains(line) or _DECIDES.match(line) is not None)


def _draft(rule: str, line: str, kind: str) -> Draft:
    text = one_line(sentence(_LEADER.sub("", line).removesuffix(":")))
    return Draft(rule, text, kind, "declarative", 0.6, "discovery", Origin.AGENT)
