"""Explanations: sentences with a reason for something, or with a limit of a thing.

Deeds are in git and states are in the files; missing from both are the reason, the limit and the
cause. A sentence is worth keeping when it names a thing and explains it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.wording import SENTENCE_END, names
from actors.policy.text.words import caseless

_REASON: Final = caseless(
    r"\b(?:because|so that|otherwise|or else|due to|caused by|therefore|hence|unless|instead of"
    r"|rather than|by design|on purpose|deliberate(?:ly)?|intentional(?:ly)?|which means"
    r"|since (?!v?\d|then\b|last\b|yesterday\b|the (?:last|first|previous)\b)\w"
    r"|to (?:avoid|prevent)|prevent(?:s|ing)|root cause|the reason"
    r"|even (?:if|though|when)|regardless(?: of)?|as if)\b"
    r"|[,;—–-] so (?=[\w`'\"])|\bso \w+ (?:can|will|never|is|are|does|[a-z]+s)\b"
)
# A cause said in so many words. "So" begins what follows of anything, and says little.
_BECAUSE: Final = caseless(
    r"\b(?:because|due to|caused by|as a result of|since (?!v?\d|then\b|last\b|yesterday\b|the (?:last"
    r"|first|previous)\b)\w)"
)
_LIMIT: Final = caseless(
    r"\b(?:can(?:not|['’]t)|could(?: not|n['’]t)|never|no longer|(?:do|does|did|is|are|was|were"
    r"|has|have|wo)n['’]t|(?:do|does|did|is|are|was|were|has|have|will|must) not|not|only|must"
    r"|without|nothing|requires?|needs?|fail(?:s|ed|ing)?|br(?:eaks?|oke)|silently|lost|loses?"
    r"|drops?|ignore[sd]?|overrides?|reject(?:s|ed)?|race[sd]?|raced|hangs?|hung|crash(?:es|ed)?"
    r"|dropped|dropping|leak(?:s|ed)?|swallow(?:s|ed)?|overwr(?:ites?|ote)|wrong(?:ly)?|missing|stale"
    r"|twice|always|but|although|though|despite|however|previously|used to|too \w+|no \w+)\b"
)
_CAUSE: Final = caseless(
    r"^(?:\W*)(?:(?:the |real |actual |underlying |key )*(?:root )?(?:cause|culprit|reason|bug"
    r"|insight|gotcha|trap|catch|caveat|limitation)\b[^:.]{0,40}(?::| (?:is|was)\b))"
    r"|\b(?:root cause|culprit)\b.{0,60}\b(?:is|was)\b"
)
# It leans on what stood before it, or speaks of the work rather than of the thing.
_LEANS: Final = caseless(
    r"^(?:it|its|this|that|they|their|these|those|which|there|then|so|and|but|or|also|both|such"
    r"|here|he|she|his|her|not?|if so|either|neither|the (?:former|latter|same|above|following"
    r"|other|first|second|third|last|next)|(?:one|two|three|another|each) (?:of|more|\w+ to)"
    r"|cleanest|simplest|best|timing|verdict|if|in practice|regarding|for example|the (?:change|code"
    r"|diff|fix|implementation|test|review|commit|pr)s?)\b|^[^(]*\)|^\W*\(?\d+\)|[✅⚠❓❌]|\blines? \d|\b(?:see|as) (?:above|below)\b"
)
# What was done and what is to be done: the first word tells.
_WORK: Final = caseless(
    r"^(?:add|chang|check|clean|commit|consider|correct|creat|delet|document|do(?:n['’]t|ne)\b|drop"
    r"|ensur|extend|extract|fall\b|fix|implement|inlin|keep|mak|mark|mov|not(?:e|ing)\b|option\b"
    r"|pass\b|prefer|push|record|refactor|releas|remov|renam|replac|restor|revert|rewrit|rewrote"
    r"|run\b|ran\b|set\b|simplif|split|stor|switch|tak|test\b|track|trim|try|turn\b|updat|us(?:e|ing)\b"
    r"|verif|want\b|work(?:ed|ing)\b|worth\b|wrap|writ|wrote)\w*\b(?! (?:is|are|was|were|can)\b)"
)
_SPEAKERS: Final = caseless(
    r"\b(?:i|me|my|mine|you|your|we|our|us|let['’]s|subagent|user (?:asked|said|wanted|pushed"
    r"|called|requested))\b|\b(?:i|you|we)['’]\w+"
)
_OF_THE_WORK: Final = caseless(
    r"\b(?:task|step|option|phase|finding|question|item|group|round|attempt|batch|scenario"
    r"|problem)s? (?:#?\d|[A-Z]\b)|→|\b(?:would|could|should|might|may|now|currently|today|right now"
    r"|so far|yet|remaining|untouched|done|complete[d]?|passe[sd]|merged|pushed|this (?:run|session"
    r"|change|commit|branch|pr|fix|test|time))\b"
)
_HEADED: Final = pattern(r"[^:.]{3,90}: \w*")
# A list of names says nothing of them: outside of the code a verb or a noun of many is small.
_CODE: Final = pattern(r"`[^`\n]*`")
_PREDICATE: Final = pattern(
    r"\b(?:is|was|has|can(?:not)?|must|will|did|do|be|[a-z]{2,}(?:s|ed|n['’]t))\b"
)
# Where a piece of work stands.
_PROGRESS: Final = caseless(
    r"(?:symptom|fix\b|lint|prs?\b|first|second|broken|build|compil|missing|unused|possible|analy[sz]ed|user(?:'s)?\b|tests?\b|root cause: still|(?:re)?solved|done|fixed|in progress|ongoing|completed?|pending|open|next|problem|issue"
    r"|(?:re)?discovered|verified|updated|settled|review)\b"
)
_MENDED: Final = caseless(r"\b(?:fix(?:ed)?|solution)(?: by| with| was|:) ")
_ITEM: Final = pattern(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+")
# Runs, counters and what is put off; what texts said, which is no behaviour.
_COUNTED: Final = caseless(
    r"\b\d{9,}\b|\b\d+/\d+ (?:checks?|tests?|tasks?|green)\b"
    r"|\bdefer(?:s|red)?\b.{0,40}\b(?:verification|checks?|tasks?|follow-?ups?|later)\b"
)
_OF_TEXTS: Final = caseless(
    r"\b(?:comments?|notes that|restate[sd]?|typos?|prs? #?\d+|pull requests?)\b"
)


def weight(sentence: str) -> int:
    """Return how much a sentence explains, 0..4: a cause, a reason, a limit."""
    cause, reason = _CAUSE.search(sentence), _REASON.search(sentence)
    return 2 * bool(cause) + bool(reason) + bool(_LIMIT.search(sentence))


def leans(sentence: str) -> bool:
    """Return whether a sentence begins with a reference elsewhere: a pronoun, a conjunction."""
    return _LEANS.search(sentence) is not None


def explains_as_item(item: str) -> bool:
    """Return whether an item of a list, ``its heading: its text``, explains its heading."""
    head = item.partition(":")[0]
    return (
        _HEADED.match(item) is not None
        and _PREDICATE.search(_CODE.sub("", item)) is not None
        and 10 <= len(item.split()) <= 100
        and weight(item) + (names(head) or _MENDED.search(item) is not None) >= 2
        and names(item)
        and not _PROGRESS.match(item)
        and not _SPEAKERS.search(item)
        and not _OF_THE_WORK.search(item)
    )


def reasons(paragraphs: Iterable[str], room: int, *, housekeeping: bool = False) -> str:
    """The whole sentences of a commit's body that give reasons, with the ones they lean on; or ''.

    ``paragraphs`` have no line breaks, ``room`` is in characters. In ``housekeeping`` a sentence
    about texts or about the work is no reason.
    """
    kept: list[str] = []
    for paragraph in paragraphs:
        listed = _ITEM.match(paragraph) is not None
        lines = SENTENCE_END.split(_ITEM.sub("", paragraph))
        told = [
            at
            for at, line in enumerate(lines)
            if _tells_why(line, listed=listed)
            and not _COUNTED.search(line)
            and not (housekeeping and _OF_TEXTS.search(line) and not _BECAUSE.search(line))
        ]
        wanted = {near for at in told for near in (_support(lines, at), at)}
        kept += [lines[at] for at in sorted(wanted)]
    fitting: list[str] = []
    for line in kept:
        if len(line) + 1 <= room:
            room -= len(line) + 1
            fitting.append(line if line[-1] in ".!?…" else f"{line}.")
    return " ".join(fitting)


def tells_choice(subject: str) -> bool:
    """Return whether a subject alone has a choice against something, or its reason."""
    return _REASON.search(subject) is not None


def _tells_why(line: str, *, listed: bool) -> bool:
    """Return whether it gives a reason; of work and in lists only one in so many words counts."""
    limit = not listed and not _WORK.match(line) and _LIMIT.search(line)
    is_whole = len(line.split()) >= 6 and not line.endswith(":")  # a list follows it elsewhere
    return is_whole and bool(limit or _REASON.search(line))


def _support(lines: Sequence[str], at: int) -> int:
    """The sentence before, when this one begins with a reference to it."""
    return at - 1 if at and leans(lines[at]) else at
