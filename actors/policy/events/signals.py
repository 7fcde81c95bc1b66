"""Signals of a prompt besides its task: a correction, a preference, or praise.

Bare words ("actually", "wait", "like", "want", "yes") stand in most prompts of a programmer
without being meant as signals. Here a word counts only in the frame in which it is said of oneself
or of the agent's last answer: "actually" opens a sentence, "wait" is not waiting for something,
"like" and "want" have the speaker as their subject, "yes" goes on to agree. Code and quotations
are not read. The rules read English; every doubt is decided for silence.
"""

import re
import unicodedata
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Final

from actors.policy.text.pasted import typed
from actors.policy.text.wording import sentences

READ: Final = 5000  # characters of a prompt that are read


class Signal(Enum):
    """Signal of a prompt about what went before, or about the person."""

    CORRECTION = "correction"
    PREFERENCE = "preference"
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
_OPENING: Final = r"(?:^|[,;:.!] |\b(?:and|but|so|then|also) )"
# "I want to build a shop" is a task, "I want to use tabs" is about how it is done.
_TASK: Final = (
    r"(?:you )?to (?!(?:\w+ly )?(?:always|never|use|keep|avoid|stick|stay|stop|prefer|have|ask"
    r"|answer|respond|reply|write|explain)\b)"
)
# A wish that is asked about, supposed, or reported is not expressed.
_NOT_OF: Final = (
    r"(?<!\bif )(?<!\bdo )(?<!\bdid )(?<!\bwhat )(?<!\bwhen )(?<!\bwhy )(?<!\bhow )(?<!\bwhether )"
    r"(?<!\bunless )(?<!\bshould )(?<!\bcan )(?<!\bwhich )(?<!\bwhere )(?<!\bwould )(?<!\bcould )"
    r"(?<!\bwhenever )(?<!\bwho )(?<!\bas )(?<!\bcase )(?<!\bsuppose )(?<!\bsays )(?<!\bsay )"
)
_PREFERENCE: Final = re.compile(
    rf"{_NOT_OF}\b(?:i|we)(?:['’]d| would)? (?:(?:really|also|still|just|only|generally|usually"
    r"|strongly|much|always|never|personally|definitely|do|don['’]?t|do not) )*"
    rf"(?:(?:prefer|dislike|hate)\b|(?:like|want|love)\b(?! {_TASK}))"
    rf"(?! (?:it|this|that|how|where|what)\b)"
    rf"|{_NOT_OF}\b(?:i|we)(?:['’]d| would) (?:much )?rather\b"
    r"|\b(?:i|we) (?:always|never) (?:use|write|run|keep|put|commit|name|mock)\b"
    r"|\bmy (?:preference|(?:preferred|favou?rite) [\w ]{2,30}) (?:is|are)\b"
    rf"|{_OPENING}(?:from now on,? |in (?:the )?future,? |going forward,? |in this \w+,? )?"
    r"(?:please |and |also ){0,4}(?:please use|(?:always|never) (?!mind\b|seen\b|been\b|had\b)\w+)\b"
    rf"|{_OPENING}please use\b"
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


@lru_cache(maxsize=1)  # several listeners ask of the prompt that came last
def signals(prompt: str) -> tuple[Signal, ...]:
    """The signals of a prompt, each once: correction, preference, reinforcement."""
    plain = unicodedata.normalize("NFC", typed(prompt[:READ])).casefold()
    said = sentences(_QUOTED.sub(" ", plain))
    found = {signal for sentence in said for signal in _signals(sentence)}
    return tuple(signal for signal in Signal if signal in found)


def _signals(sentence: str) -> Iterable[Signal]:
    asks = sentence.endswith("?")
    if _CORRECTION.search(sentence):
        yield Signal.CORRECTION
    if not asks and _PREFERENCE.search(sentence):
        yield Signal.PREFERENCE
    praise = _REINFORCEMENT.search(sentence)
    if praise and not _BUT.search(sentence, praise.end()):
        yield Signal.REINFORCEMENT
