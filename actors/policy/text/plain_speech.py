"""Plain speech: the speakers of a prompt's words, and the words in full spelling.

Words quoted or reported by a person are another's, and are set aside before any rule looks at them.
"""

import re
from typing import Final, NamedTuple

from actors.policy.patterns import pattern
from actors.policy.text.words import caseless

QUOTED_WORDS: Final = 3  # fewer are a name or a term of one's own: the word "account"

# Without line breaks inside and bounded, so that a stray mark costs a line and time stays linear.
_QUOTATION: Final = pattern(
    r"(?<!\w)\"[^\"\n]{1,600}\"(?!\w)|“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»"
)
_FIRST_MARK: Final = 0xE000  # private use: no keyboard has them, and no rule reads them as a word
_MARKS: Final = 64
_MARK: Final = pattern(f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + _MARKS - 1)}]")

# Apostrophes that are left out; "its", "were", "well" and "ill" are words of their own.
_CONTRACTIONS: Final = {
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't",
    "wasnt": "wasn't", "wont": "won't", "cant": "can't", "shouldnt": "shouldn't", "im": "I'm",
    "mustnt": "mustn't", "ive": "I've", "thats": "that's", "youre": "you're", "weve": "we've",
    "theyre": "they're", "hasnt": "hasn't", "havent": "haven't", "pls": "please", "plz": "please",
}  # fmt: skip
_CONTRACTED: Final = caseless(rf"(?<![\w`./-])(?:{'|'.join(_CONTRACTIONS)})(?![\w`/-])(?!\.\w)")

# Somebody else says so, or it is to be written somewhere.
_REPORTED: Final = caseless(
    r"^(?!(?:i|we)\b)[^,;:]{1,60}?\b(?:says?|said|saying|wrote|writes|claims|suggest(?:s|ed)"
    r"|recommend(?:s|ed)|told (?:me|us|you)|mentioned|asks|asked|thinks|thought|proposed?)\b"
    r"|^according to\b|\b(?:should|must|to|and) (?:say|state|mention|explain|tell \w+)\b"
    r"|\b(?:an?|the|some) (?:\w+ )?(?:text|banner|message|note|comment|line|docs?|document|readme"
    r"|page|section|example)s? (?:that|which|about|saying|why|how)\b"
)
_EMBEDDED: Final = caseless(
    r"\b(?:checks|verifies|ensures|why|how|whether|where|if|unless|until|when|which|who|what"
    r"|(?<!now )(?<!note )(?<!sure )(?<!so )that)\s+$"
)


class Masked(NamedTuple):
    """A text with a mark in place of each quotation, and the quotations."""

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
    """The line with missing apostrophes put in, and "please" for "pls"."""
    return _CONTRACTED.sub(_contraction, line)


def is_reported(line: str, upto: int) -> bool:
    """Return whether the words at ``upto`` are told of others, or are to be written down."""
    return bool(_REPORTED.search(line, 0, max(upto, 1)))


def is_embedded(line: str, upto: int) -> bool:
    """Return whether the words at ``upto`` are object of another clause: "explain why we ..."."""
    return bool(_EMBEDDED.search(line, 0, upto))


def _contraction(found: re.Match[str]) -> str:
    full = _CONTRACTIONS[found[0].lower()]
    return full[0].upper() + full[1:] if found[0][0].isupper() else full
