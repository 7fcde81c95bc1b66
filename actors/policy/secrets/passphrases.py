"""Passphrases without quotes: words in a row as in no sentence.

People draw them from a list (Diceware, Reinhold 1995) and write them among other words. A sentence
has a word of grammar among any four; drawn words seldom do, and where one stands the phrase is
over. Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.secrets.secret_tables import sections, words
from actors.policy.secrets.secret_values import PLAIN, compiled

_TABLE = sections("passphrases")
_GRAMMAR = PLAIN | words(_TABLE["grammar"])
_ORDERS = words(_TABLE["orders"])
_WORD = r"(?:[^\W\d_]{2,14}|\d{1,4})[!?]?"
_WORDS = r"[^\W\d_]{3,14}(?: (?:[^\W\d_]{2,14}|\d{1,4})[!?]?){2,24}"
_STOPS = r"[.,;:]?(?:[ \t\r\n]|\Z)| ?[)\]\"'`”»]|[ ]?[–—-][ ]"
_MOST = 25  # words, as a seed phrase has


def phrase_end(text: str, at: int, whole: bool, least: int = 4) -> int:
    """Return the end of a passphrase of `least` words beginning at `at`, 0 if there is none.

    `whole`: the phrase must go on to the end of its clause; else a word of grammar may follow. Where
    it goes on so, three words are enough if one is a number.
    """
    found = compiled(_WORDS).match(text, at)
    if found is None:
        return 0
    end, words = at, 0
    for word in found.group().split(" "):
        if word.rstrip("!?").lower() in _GRAMMAR:
            break
        end += len(word) + (words > 0)
        words += 1
    stopped = end < found.end()
    numbered = not stopped and compiled(r" \d").search(text, at, end) is not None
    if words < (3 if numbered else 4 if stopped else least) or (whole and stopped):
        return 0
    return end if stopped or compiled(_STOPS).match(text, end) is not None else 0


_AS = (" as ", " als ", " comme ", " como ", " jako ", " как ")


def phrase_start(text: str, end: int) -> int:
    """Return the start of a passphrase ending at `end`, behind an order to use it, -1 if there is none."""
    first = text.rfind("\n", max(0, end - 160), end) + 1
    words = text[max(first, end - 160) : end].split(" ")
    start, at = end, len(words)
    while at and compiled(_WORD + r"\Z").match(words[at - 1]) is not None:
        word = words[at - 1].rstrip("!?").lower()
        if word in _GRAMMAR or word in _ORDERS or len(words) - at >= _MOST:
            break
        at -= 1
        start -= len(words[at]) + 1
    if len(words) - at < 4:
        return -1
    before = words[at - 1].lower() if at else ""
    asked = before in _ORDERS or before.endswith((":", "=", ","))
    asked = asked or (before in _GRAMMAR and text.startswith(_AS, end))
    return start + 1 if asked or (at == 0 and start + 1 == first) else -1
