"""Plain speech: what people type in a hurry, said in full, and whose words they are.

"went with zstd" leaves out who, "tabs, not spaces, in this repo" the verb. The rules of statements
know full sentences; here the common short ones become such. Words that a person quotes or reports are another's, and are set aside before any rule
looks at them.
"""

import re
from typing import Final, NamedTuple

from actors.policy.text.wording import TOOLS

QUOTED_WORDS: Final = 3  # fewer are a name or a term of one's own: the word "account"

# Without line breaks inside and bounded, so that a stray mark costs a line and time stays linear.
_QUOTATION: Final = re.compile(
    r"(?<!\w)\"[^\"\n]{1,600}\"(?!\w)|“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»"
)
_FIRST_MARK: Final = 0xE000  # private use: no keyboard has them, and no rule reads them as a word
_MARKS: Final = 64
_MARK: Final = re.compile(f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + _MARKS - 1)}]")

# Apostrophes that are left out; "its", "were", "well" and "ill" are words of their own.
_CONTRACTIONS: Final = {
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't",
    "wasnt": "wasn't", "wont": "won't", "cant": "can't", "shouldnt": "shouldn't", "im": "I'm",
    "mustnt": "mustn't", "ive": "I've", "thats": "that's", "youre": "you're", "weve": "we've",
    "theyre": "they're", "hasnt": "hasn't", "havent": "haven't", "pls": "please", "plz": "please",
}  # fmt: skip
_CONTRACTED: Final = re.compile(
    rf"(?<![\w`./-])(?:{'|'.join(_CONTRACTIONS)})(?![\w`/-])(?!\.\w)", re.IGNORECASE
)

# Somebody else says so, or it is to be written somewhere.
_REPORTED: Final = re.compile(
    r"^(?!(?:i|we)\b)[^,;:]{1,60}?\b(?:says?|said|saying|wrote|writes|claim(?:s|ed)|suggest(?:s|ed)"
    r"|recommend(?:s|ed)|told (?:me|us|you|them)|mention(?:s|ed)|comment(?:s|ed)|asks|asked|thinks"
    r"|thought|believes?|argue[sd]|propose[sd]|tweeted|quot(?:es|ed))\b"
    r"|^according to\b"
    r"|\b(?:should|must|to|shall|and) (?:say|state|mention|explain|announce|tell \w+)\b"
    r"|\b(?:a|an|the|some) (?:\w+ )?(?:text|banner|sentence|paragraph|message|note|comment|line"
    r"|post"
    r"|mail|email|tweet|docs?|document|readme|page|section|article|story|example)s? (?:that"
    r"|which|where|about"
    r"|saying|why|how)\b",
    re.IGNORECASE,
)
_EMBEDDED: Final = re.compile(
    r"\b(?:checks|verifies|asserts|ensures|proves|why|how|whether|as if|where|if|unless|until"
    r"|once|when|whenever|which|who|what"
    r"|(?<!now )(?<!note )(?<!sure )(?<!so )that)\s+$",
    re.IGNORECASE,
)

# "You keep running npm, we use pnpm": the rule is what follows the complaint.
_COMPLAINT: Final = re.compile(
    r"^(?:why do you |you(?:['’]re| are|['’]ve| have| keep| still| always| just| did"
    r"| used| ran| put| wrote| forgot)\b)[^,;:?]{2,80}[,:–—-]+ +(?=(?:we|our|the \w+ is|here we"
    r"|in this \w+|always|never|use|all our)\b)",
    re.IGNORECASE,
)
_NO_SUBJECT: Final = re.compile(
    r"^(?P<verb>went|going|sticking|switched|switching|moved|moving|migrated|migrating|ended up"
    r"|settled"
    r"|decided"
    r"|standardi[sz]ed) (?=(?:ahead )?(?:with|on|to|from|for|against|over to|back to|away)\b)",
    re.IGNORECASE,
)
_IT_IS: Final = re.compile(r"^it(?:['’]?s| is) ", re.IGNORECASE)
_NO_VERB: Final = re.compile(
    r"^(?:it['’]?s |it is )?(?P<what>[\w.+#/-]{2,30}(?: [\w.+#/-]{2,30})?),? (?P<not>not|never) "
    r"(?P<other>[\w.+#/-]{2,30}(?: [\w.+#/-]{2,30})?),? (?P<scope>(?:in|for|across|throughout"
    r"|on) (?:this"
    r"|all|the whole|the entire|every|our|both) [\w ]{2,40}|everywhere|always)[.!]*$",
    re.IGNORECASE,
)
_NO_VERB_NAMED: Final = re.compile(
    rf"^(?:it['’]?s |it is )?(?P<what>{TOOLS}),? not (?P<other>[\w.+#/-]{{2,30}})[.!]*$",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """A line in full, and whether it sets something right."""

    text: str
    corrects: bool = False


class Masked(NamedTuple):
    """A text with a mark in place of each quotation, and what the marks stand for."""

    text: str
    quotations: tuple[str, ...]


def without_quotations(text: str) -> Masked:
    """The text with a mark for each quotation of three words or more, which are another's words."""
    found: list[str] = []

    def mark(quotation: re.Match[str]) -> str:
        if len(quotation[0].split()) < QUOTED_WORDS or len(found) >= _MARKS:
            return quotation[0]
        found.append(quotation[0])
        return chr(_FIRST_MARK + len(found) - 1)

    return Masked(_QUOTATION.sub(mark, _MARK.sub(" ", text)), tuple(found))


def with_quotations(text: str, quotations: tuple[str, ...]) -> str:
    """The text with its quotations back in their places."""

    def quotation(mark: re.Match[str]) -> str:
        at = ord(mark[0]) - _FIRST_MARK
        return quotations[at] if at < len(quotations) else ""

    return _MARK.sub(quotation, text)


def spelled(line: str) -> str:
    """The line with apostrophes that were left out, and "please" for "pls"."""
    return _CONTRACTED.sub(_contraction, line)


def in_full(line: str) -> Said:
    """A short statement said in full; any other line as it is."""
    rest = _COMPLAINT.sub("", line)
    return Said(_with_subject(rest), corrects=rest != line)


def is_reported(line: str, upto: int) -> bool:
    """Return whether what stands at ``upto`` is told of others, or is to be written down."""
    return bool(_REPORTED.search(line, 0, max(upto, 1)))


def is_embedded(line: str, upto: int) -> bool:
    """Tell whether what stands at ``upto`` is object of another clause: "explain why we ..."."""
    return bool(_EMBEDDED.search(line, 0, upto))


def _with_subject(line: str) -> str:
    unsaid = _NO_SUBJECT.match(line)
    if unsaid is not None:
        ongoing = "are " if unsaid["verb"].lower().endswith("ing") else ""
        return f"We {ongoing}{line[0].lower()}{line[1:]}"
    if _NO_VERB.match(line) or _NO_VERB_NAMED.match(line):
        return f"Use {_IT_IS.sub('', line)}"
    return line


def _contraction(found: re.Match[str]) -> str:
    full = _CONTRACTIONS[found[0].lower()]
    return full[0].upper() + full[1:] if found[0][0].isupper() else full
