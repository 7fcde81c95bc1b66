"""Summaries: what the account of a compaction tells, section by section.

A model wrote it: decisions with their reasons, errors with their fixes, what the user said. What was
done is in git, and what is to be done next belongs to the session that goes on.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from actors.policy.statements.candidates import Draft, Origin
from actors.policy.statements.claims import is_hedged
from actors.policy.statements.conclusions import best, drafted
from actors.policy.statements.explanations import explains_as_item, weight
from actors.policy.statements.statements import statements
from actors.policy.text.wording import names, one_line, sentence, sentences, specifics

EXPLAINED: Final = 3  # items of one section of one summary
SETTLED: Final = 3  # of what the user settled
LEAST, MOST = 8, 70  # words of what was found out
QUOTED: Final = 5  # of the user's messages
ABOUT: Final = 560  # characters of what was asked
BELOW: Final = 6  # items below one that are read
JOINED: Final = 400  # characters of an item with those below it
SUMMARY: Final = "session-summary"
QUOTATION: Final = "quoted"
QUOTATION_DOCS: Final = "What the user said, as a compaction's summary quotes it"

_SECTION: Final = re.compile(
    r"^[ \t]*(?:#+[ \t]*|\*\*)?\d{1,2}[.)][ \t]+\**([A-Z][\w ,&/()-]{2,50}?)\**:\**[ \t]*(.*?)"
    r"(?=^[ \t]*(?:#+[ \t]*|\*\*)?\d{1,2}[.)][ \t]+\**[A-Z]|\Z)",
    re.MULTILINE | re.DOTALL,
)
# The parts of a summary that explain; the rest tells what was asked and done.
_EXPLAINS: Final = re.compile(r"error|concept|problem|decision|learn", re.IGNORECASE)
_ASKED: Final = re.compile(r"request|intent|goal", re.IGNORECASE)
_SAID: Final = re.compile(r"user messages", re.IGNORECASE)
_VERBATIM: Final = re.compile(r"user messages|files|pending|next|current", re.IGNORECASE)
_QUOTED: Final = re.compile(r"[\"“”]")
_QUOTATION: Final = re.compile(
    r"\A[^\"“\n]{0,20}[\"“](.{4,}?)[\"”](?:[ .,]{0,2}\([^)\n]*\))?[ .]*\Z", re.DOTALL
)
# What holds beyond the message: a fact or a tool of the user needs the message whole.
_LASTING: Final = frozenset(
    {"preference", "convention", "decision", "practice", "wish", "correction"}
)
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
# "Problem 1 (FIXED): ...", "Solved: ...": where it stands, before what it is.
_STATUS: Final = re.compile(
    r"\A(?:(?:(?:problem|issue|bug|scenario|error|task)s? ?#?\d+ ?)?(?:\((?:fixed|solved|done|resolved)\b[^)\n]{0,40}\))?"
    r"|(?:solved|fixed|resolved)): +",
    re.IGNORECASE,
)
# "Settled X (not Y) on evidence ...": what was found out or decided on the way.
_RESOLVED: Final = re.compile(
    r"(?:(?:explicitly|finally|empirically) )?(?:settled|established|determined|root-caused|decided|concluded|proved"
    r"|discovered|rejected)\b",
    re.IGNORECASE,
)
_CAUSED: Final = re.compile(r"\b(?:due to|because|caused by|(?:root )?cause)\b", re.IGNORECASE)
_MENDED: Final = re.compile(r"\b(?:fix(?:ed)?|solution|resolved)(?: by| with|:) ", re.IGNORECASE)
_MENDS: Final = re.compile(r"(?:fix(?:ed)?|solution|resolved|(?:root )?cause)\b", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\b(?:not yet|in progress|to be (?:verified|fixed)|investigating|unverified)\b",
    re.IGNORECASE,
)
_ANALYSIS: Final = re.compile(r"<analysis>.*?(?:</analysis>|\Z)", re.DOTALL)


def of_summary(summary: str) -> list[Draft]:
    """Return what a compaction's summary tells: what was asked, what the user settled and said, what explains.

    The first sentences of the request whole, and at most three items of what was settled and of each
    section that explains.
    """
    sections = _SECTION.findall(_ANALYSIS.sub("", summary).rpartition("\nSummary:\n")[2])
    asked = [body for name, body in sections if _ASKED.search(name)][:1]
    told = [(name, list(_items(body))) for name, body in sections if not _VERBATIM.search(name)]
    settled = [item for _, items in told for item in items if _is_settled(item)]
    return [
        *(drafted(SUMMARY, text, "state") for text in _about(asked)),
        *(drafted(SUMMARY, item, "decision") for item in settled[:SETTLED]),
        *(
            drafted(SUMMARY, _STATUS.sub("", item), "insight")
            for name, items in told
            if _EXPLAINS.search(name)
            for item in best(filter(_is_explained, items), EXPLAINED)
        ),
        *_quoted((body for name, body in sections if _SAID.search(name)), " ".join(settled)),
    ]


def _items(body: str) -> Iterator[str]:
    """The items of a section, each with those below it where it only announces them."""
    found = [(len(before.expandtabs()), text) for before, text in _ITEM.findall(body)]
    top = min((depth for depth, _ in found), default=0)
    groups: list[list[str]] = []
    for depth, text in found:
        bare = text.replace("**", "").strip()
        if depth <= top + 1 or not groups:
            groups.append([bare])
        elif len(groups[-1]) <= BELOW:
            groups[-1].append(bare)
    for head, *below in groups:
        # Of what was seen and tried the cause and the fix are left.
        mends = [said for said in below if _MENDS.match(said)]
        told = [sentence(said) for said in mends or (below if head.endswith(":") else [])]
        whole = head if head.endswith(":") else sentence(head)
        yield one_line(" ".join([whole, *told]), JOINED) if told else head


def _quoted(bodies: Iterable[str], settled: str) -> list[Draft]:
    """Find what holds of the user's messages, by the rules for prompts, and is not told as settled.

    The summary quotes it: it is a description of what was said, as good as the model that wrote it.
    """
    items = (item.strip() for body in bodies for _, item in _ITEM.findall(body))
    messages = [found[1] for found in map(_QUOTATION.match, items) if found is not None]
    texts = [
        one_line(said.text)
        for message in messages
        for said in statements(message)
        if said.rule.id in _LASTING
    ]
    return [
        Draft(QUOTATION, text, "decision", "semantic", 0.6, "decision", Origin.AGENT)
        for text in texts[:QUOTED]
        if text.rstrip(".") not in settled
    ]


def _is_explained(item: str) -> bool:
    if is_hedged(item) or _OPEN.search(item):
        return False
    bare = _STATUS.sub("", item)
    resolved = _RESOLVED.match(bare) and weight(bare)
    mended = _CAUSED.search(bare) and _MENDED.search(bare)
    found_out = (resolved or mended) and names(bare) and LEAST <= len(bare.split()) <= MOST
    return bool(found_out) or explains_as_item(bare)


def _about(asked: Iterable[str]) -> list[str]:
    """Find what the request requires, decides or found of a named thing, in whole sentences."""
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
