"""Signals of a prompt besides its task: a correction, or praise.

Bare words ("actually", "wait", "yes") stand in most prompts of a programmer without being meant as
signals. Here a word counts only in the frame in which it is said of oneself or of the agent's last
answer: "actually" opens a sentence, "wait" is not waiting for something, "yes" goes on to agree.
Code and quotations are not read. The rules read English; every doubt is decided for silence.
"""

import re
import unicodedata
from collections.abc import Iterable
from enum import Enum
from typing import Final

from actors.policy.text.plain_speech import with_quotations
from actors.policy.text.turn import Turn


class Signal(Enum):
    """Signal of a prompt about what went before."""

    CORRECTION = "correction"
    REINFORCEMENT = "reinforcement"


_QUOTED: Final = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^“”]*”|«[^«»]*»|(?<!\w)'[^']*'(?!\w)")
# Words that a turn of speech opens with, and that mean nothing by themselves.
_LEAD: Final = (
    r"^(?:(?:no+|nope|wait|hm+|oh|ah|ok|okay|sorry|oops|well|um+|so|but|and|hold on|yes|yeah)"
    r"[,.!…:—-]*\s+)*"
)
_STANDS_ALONE: Final = r"(?=\s*(?:$|[,.!;:…)—-]))"

_CORRECTION: Final = re.compile(
    rf"{_LEAD}(?:actually(?:,|\s(?!(?:is|are|does|do|did|can|how|what|why)\b))"
    r"|not quite(?! (?:sure|certain|clear|ready|there|yet|the same))"
    r"|let me (?:rephrase|correct (?:myself|that))"
    r"|(?:that|this|it)(?:['’]?s| is| was) (?:incorrect|not (?:quite |really |exactly )?"
    r"(?:right|correct|true|what i (?:asked|meant|wanted|said)))"
    r"|(?:that|this)(?:['’]?s| is) (?:(?:just |simply |completely )?wrong|the wrong)\b"
    r"|(?:that|this) is(?:n['’]?t) (?:right|correct|true|what i (?:asked|meant|wanted|said))"
    r"|i meant\b|you(?:['’]ve| have)? (?:misunderst(?:ood|and)|misread|got (?:it|that|this) wrong)"
    r"|scratch that|strike that|on second thoughts?|i take (?:that|it) back)"
    r"|^(?:oh,? |hm+,? )?wait(?:[,!.…]|\s*[—-] | (?:no|that|i|actually)\b)"
    r"|^(?:\w+ )?correction\s*[:,—-]"
    r"|^no[,.!]? (?:i (?:said|asked|meant|want)|don['’]?t|undo|not )"
    r"|\bi (?:was wrong|misspoke|mistyped|misread|misremembered|got (?:that|it|this) wrong)\b"
    r"|\bmy (?:bad|mistake)\b|\b(?:sorry|oops)[,!.]? i (?:meant|said)\b"
    r"|[\s,]actually[.!]*$"
)
_PRAISE: Final = (
    r"(?:perfect|excellent|awesome|brilliant|fantastic|amazing|wonderful|great|nice|lovely"
    r"|beautiful|superb|exactly|well done|(?:great|good|nice|excellent|amazing) (?:job|work|catch"
    r"|find|stuff))"
)
_REINFORCEMENT: Final = re.compile(
    rf"{_LEAD}(?:{_PRAISE}(?:{_STANDS_ALONE}| (?:thanks|thank you|like (?:that|this)))"
    r"|(?:that['’]?s |that is )?exactly (?:what (?:i|we) (?:wanted|needed|meant|asked|had)"
    r"|like (?:that|this)|right)"
    r"|(?:that['’]?s|that is|this is|it['’]?s) (?:(?:perfect|great|excellent|awesome|right|correct"
    rf"|it|better|much better){_STANDS_ALONE}|what (?:i|we) (?:wanted|needed|meant|asked for)"
    r"|exactly)"
    rf"|i (?:really )?(?:like|love) (?:it|this|that){_STANDS_ALONE}"
    r"|(?:that |this |it )?(?:worked|works)(?: (?:now|perfectly|great|well|fine|like a charm"
    rf"|beautifully))*(?:{_STANDS_ALONE}| (?:thanks|thank you))"
    r"|(?:that |this |it )(?:did (?:it|the trick)|(?:fixed|solved|resolved) (?:it|that|the \w+)))"
)
# Praise that is taken back in the same breath.
_BUT: Final = re.compile(
    r"\b(?:but|except|however|although|unfortunately|fail\w*|broke\w*|errors?|crash\w*|wrong|not"
    r"|still|worse)\b|n['’]t\b"
)


def signals(turn: Turn) -> tuple[Signal, ...]:
    """The signals of a person's words, each once: correction, reinforcement."""
    found = {signal for sentence in turn.sentences for signal in _signals(_plain(sentence))}
    return tuple(signal for signal in Signal if signal in found)


def _plain(sentence: str) -> str:
    """The sentence in lower case, without what it quotes."""
    composed = unicodedata.normalize("NFC", with_quotations(sentence, ()))
    return " ".join(_QUOTED.sub(" ", composed.casefold()).split())


def _signals(sentence: str) -> Iterable[Signal]:
    if _CORRECTION.search(sentence):
        yield Signal.CORRECTION
    praise = _REINFORCEMENT.search(sentence)
    if praise and not _BUT.search(sentence, praise.end()):
        yield Signal.REINFORCEMENT
