"""Happenings: whether a note tells of a failure, a fix, a change, a decision, or asks something.

What dreaming needs to see that one thing led to another, and that something was never answered. Read off words and the kind the memory was stored with; a doubt makes it a ``FACT``.
"""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final

from actors.policy.text.words import caseless

READ: Final = 600  # characters of a note that are looked at


class Happening(Enum):
    """Kind of happening that a note tells of."""

    QUESTION = "question"  # asked, or said to be unknown
    FAILURE = "failure"
    FIX = "fix"
    DECISION = "decision"
    CHANGE = "change"
    FACT = "fact"


SETTLING: Final = frozenset({Happening.FIX, Happening.DECISION})
"""What closes a question or a failure."""

OPEN: Final = frozenset({Happening.QUESTION, Happening.FAILURE})
"""What waits for a fix or an answer."""

# Kinds of memories that say by themselves what they tell of.
_KINDS: Final[Mapping[str, Happening]] = {
    "bugfix": Happening.FIX,
    "fix": Happening.FIX,
    "decision": Happening.DECISION,
    "question": Happening.QUESTION,
    "error": Happening.FAILURE,
    "failure": Happening.FAILURE,
}
_UNKNOWN: Final = (
    r"\b(?:unclear|unknown|undocumented|unanswered|unexplained|unresolved|no idea|nobody (?:\w+ ){0,4}(?:knows?|can|could|remembers?|understands?)"
    r"|no one (?:\w+ ){0,4}(?:knows?|can|could|remembers?|understands?)|open (?:question|issue|point)|still open|tbd|(?:not|never|n['’]t) (?:yet )?(?:answered|replied|responded)|no repl(?:y|ies)|no answer|without (?:an )?answer"
    r"|(?:do|does|did)(?: not|n['’]t) (?:yet )?(?:know|understand)|not (?:\w+ )?(?:documented|written down|understood)"
    r"|(?:could|can)(?:not| not|n['’]t) (?:\w+ )?(?:find out|figure out|tell|explain)|found nothing"
    r"|(?:not|n['’]t) (?:\w+ )?(?:known|clear|sure|certain) (?:yet )?(?:whether|if|how|why|what|which|who|where|when)"
    r"|(?:unsure|uncertain)|no (?:docs|documentation|explanation)|wonder(?:ing|ed)? (?:how|why|what|who|where|when|if|whether)"
    r"|(?:searched|looked|asked)\b.{0,60}\b(?:nothing|no (?:result|hit|reply|luck)|in vain))\b"
)
_CHOSEN: Final = re.compile(r"\A\s*+Asked “[^”]{1,400}”, the user chose\b")
_QUESTION: Final = caseless(rf"\?(?:\s|$|[\"'”)])|{_UNKNOWN}")
_FIX: Final = caseless(
    r"\b(?:fixed|fixes|solved|resolved|repaired|remedied|cured|worked around|workaround|the fix"
    r"|(?:the|a) solution|works (?:again|now|since|after)|passes (?:again|now)|(?:it )?(?:passed|worked) after"
    r"|went away|no longer (?:fails?|crash(?:es)?|times? out|happens?|occurs?))\b"
)
_UNFIXED: Final = caseless(
    r"\b(?:not|never|n['’]t|no|un)\s*(?:been |be |yet |really )*(?:fixed|solved|resolved|repaired|fix\b"
    r"|solution)|\bun(?:fixed|solved|resolved)\b"
)
_DECISION: Final = caseless(
    r"\b(?:decided|decision|agreed (?:to|on|that)|we (?:chose|opted|settled)|from now on"
    r"|the rule is|policy is|answer(?:ed)?\s*(?:is|:|by)|it turned out|turns out)\b"
)
_FAILURE: Final = caseless(
    r"\b(?:fail(?:s|ed|ing|ures?)?|errors?|errored|crash(?:es|ed|ing)?|broke|breaks|broken|breakage"
    r"|outages?|timed? ?outs?|timing out|timeouts?|hang(?:s|ing)?|hung|stuck|stopped working|refus(?:ed|es)"
    r"|denied|exception|panic(?:s|ked)?|exhausted|overload(?:ed|s)?|deadlock(?:s|ed)?|flak(?:y|es|ed|iness)"
    r"|flickers?|leak(?:s|ed|ing)?|killed|segfaults?|segmentation faults?|sigsegv|aborted|out of (?:memory|disk|space)|no space|(?:disk|quota)\b.{0,20}\bfull|went down"
    r"|is down|was down|down again|unreachable|unavailable|corrupt(?:ed|ion)?|lost|missing|duplicated"
    r"|rejected|spikes?|spiked|red\b|slow(?:er|ed|ness)?|stall(?:s|ed)?|overran|off by|not found"
    r"|(?:connections?|sockets?|sessions?|calls?|requests?|packets?|messages?|events?) (?:\w+ )?(?:drop(?:s|ped)?|disconnect(?:s|ed)?)"
    r"|disconnects|froze|frozen|freezes|freezing|vanish(?:es|ed)|disappear(?:s|ed)|expired"
    r"|no longer (?:works?|loads?|starts?|responds?|opens?|answers?|builds?|compiles?)"
    r"|50[0234] (?:errors?|responses?)|could not connect|bug)\b"
)
_CHANGE: Final = caseless(
    r"\b(?:changed|edited|updated|upgraded|upgrade|bumped|renamed|moved|migrated|switched|replaced"
    r"|added|removed|deleted|dropped|set (?:a|the|it|\w+ to|up)|configured|reconfigured|deployed|released|rolled out"
    r"|merged|enabled|disabled|turned (?:on|off)|flushed|purged|cleared|rotated|raised|lowered|increased"
    r"|reduced|restarted|rebooted|installed|uninstalled|refactored|rewrote|reverted|scaled|patched"
    r"|tightened|swapped|applied|shipped|introduced|resized|reindexed|truncated)\b"
)


def happening(text: str, kind: str = "") -> Happening:
    """Kind of happening that a note tells of.

    A question outweighs a failure, an unsettled one outweighs a fix: "no idea why it crashed" is
    a question, "the crash is fixed" a fix.
    """
    read = text[:READ]
    if _CHOSEN.search(read):
        return Happening.DECISION
    if _QUESTION.search(read):
        return Happening.QUESTION
    if kind in _KINDS:
        return _KINDS[kind]
    if _FIX.search(read) and not _UNFIXED.search(read):
        return Happening.FIX
    if _DECISION.search(read):
        return Happening.DECISION
    if _FAILURE.search(read):
        return Happening.FAILURE
    return Happening.CHANGE if _CHANGE.search(read) else Happening.FACT
