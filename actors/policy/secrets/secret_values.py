"""Looks of a secret's value: chosen by a person, made by a manager, or drawn.

And looks of other values: a reference, a placeholder, prose, code.
"""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]  # where a secret begins and ends, and its kind
else:
    Span = tuple  # on Python 3.8, which evaluates no annotation here


# ---- tables of facts about secrets: texts beside these modules, each read once when its module is loaded
#
# A table has sections: a heading in brackets, and the lines below it. A line with a leading `# ` gives
# the reason of the next lines. A line with four leading blanks continues the one before.


_FOLDER = __file__.rpartition("/")[0] + "/"


def sections(name: str) -> dict[str, list[str]]:
    """Return the lines of each section of the table of this name, by the heading."""
    with open(_FOLDER + name + ".txt", encoding="utf-8") as file:
        lines = file.read().split("\n")
    table: dict[str, list[str]] = {}
    section: list[str] = []
    for line in lines:
        if line.startswith("[") and line.endswith("]"):
            section = table.setdefault(line[1:-1], [])
        elif line.startswith("    "):
            section[-1] += line[4:]
        elif line and not line.startswith("# "):
            section.append(line)
    return table


def words(lines: list[str]) -> frozenset[str]:
    """Return the words of a section's lines."""
    return frozenset(" ".join(lines).split())


def phrases(lines: list[str]) -> tuple[str, ...]:
    """Return the texts between the commas of a section's lines."""
    return tuple(", ".join(lines).split(", "))


MARKER = "[REDACTED]"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONG = 80  # characters of a value that are judged; a longer one is told by its beginning


@lru_cache(maxsize=None)  # noqa: UP033 - Python 3.8 has no `cache`
def compiled(pattern: str) -> re.Pattern[str]:
    """Return `pattern`, compiled when first met: a text needs few, and a hook pays for each."""
    return re.compile(pattern)


def fits(pattern: str, text: str, *where: int) -> bool:
    """Tell whether a text, from a place on and up to one, begins with a pattern."""
    return compiled(pattern).match(text, *where) is not None


def holds(pattern: str, text: str, *where: int) -> bool:
    """Tell whether a pattern stands in a text, from a place on and up to one."""
    return compiled(pattern).search(text, *where) is not None


def past(pattern: str, text: str, at: int) -> int:
    """Return where a pattern ends that begins at a place of a text; the place itself where none does."""
    found = compiled(pattern).match(text, at)
    return at if found is None else found.end()


def in_a_row(pattern: str, text: str, at: int) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that stand at a place, each right behind the one before."""
    found = compiled(pattern).match(text, at)
    while found is not None:
        yield found
        found = compiled(pattern).match(text, found.end())


def trie(words: list[str]) -> str:
    """Return one regular expression for the shortest of `words` beginning here."""
    words = sorted(words)
    parts: list[str] = []
    while words:
        first = words[0][:1]
        if not first:  # a word ends here: the shortest wins
            return ""
        below = [word[1:] for word in words if word.startswith(first)]
        parts.append(re.escape(first) + trie(below))
        words = words[len(below) :]
    return parts[0] if len(parts) == 1 else "(?:" + "|".join(parts) + ")"


_TABLE = sections("secret_values")
PART = re.compile(_TABLE["part"][0])
# -- what a secret value looks like ---------------------------------------------------------------

REFERENCE = _TABLE["reference"][0]
# In a lower-cased value: what says that it stands for another, anywhere or as the whole.
_YOURS = _TABLE["yours"][0]
_IS_YOURS = re.compile(_YOURS)
_STANDS_FOR = re.compile(
    rf"{_YOURS}|example"
    r"|dummy|redacted|\binsert[_\- ]|replace|not[_\-]?a[_\-]?(?:real|secret|password)"
    r"|insecure-|super[_\-]?secret|\.\.\.|…|\*\*\*|<[a-z_\- ]+>|string-at-least|\bmy-?secret-"
)
_STANDS_FOR_WHOLE = re.compile(_TABLE["stands for whole"][0])


def is_yours(value: str) -> bool:
    """Tell whether a value of a known form only asks for one's own: `sk-your-key`.

    `AKIA…EXAMPLE` does not: whoever looks for leaks takes it for a key, and so do we.
    """
    return _IS_YOURS.search(value.lower()) is not None


def is_placeholder(value: str) -> bool:
    """Return whether a value stands for another: `your-key-here`, `<token>`, `changeme`."""
    small = value.lower()
    return _STANDS_FOR.search(small) is not None or _STANDS_FOR_WHOLE.match(small) is not None


_CODE = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,9}(?:[\[(]|\Z)|[\w.]{0,80}\(|\w{1,80}(?:::|->)\w"
_CALL = r"[A-Za-z_][\w.]{0,80}[\[(]|[A-Z][a-z]\w{0,40}<|[a-z_]{1,40}(?:\.[a-z_]{1,40}){1,8}[,;)\]]{0,3}\Z"
PLAIN = words(_TABLE["plain"])
_COMMON = words(_TABLE["common"])


# In a sentence: a path, a version, a name of a file.
_NAMES_A_THING = r"[./~]|#[\w\-]{1,40}\Z|@[A-Za-z][\w\-/.]{0,40}\Z|v?\d[\d.\-]*(?:T\d\d|\Z)|[A-Z]{2,10}-\d{1,6}\Z|[\w./\-]{1,60}\.[a-z]{1,4}\d?\Z|[a-z]{2,6}://"


def is_secret(
    value: str, says: int, how: str, *, quoted: bool = False, alone: bool = False
) -> bool:
    """Return whether a value given to a name of secrecy is one: no reference, placeholder, prose or code.

    `says` is the name's strength, `how` the syntax; `alone` is a `name = value` on its own line.
    """
    size = len(value)
    if size < (4 if says == 3 else 6 if says == 2 else 8) or len(set(value)) <= 2:
        return False
    if "${" in value or MARKER in value or fits(REFERENCE, value):
        return False
    if is_placeholder(value):
        return False
    if " " in value or "\t" in value:
        said = says == 3 and quoted and how in ("prose", "flag", "sql") and is_quoted_phrase(value)
        return said or (says >= 2 and is_passphrase(value))
    if says == 3:
        return _is_chosen(value, how, quoted, alone)
    if says == 2 and (quoted or alone or how != "assigned") and _is_chosen_for_a_secret(value, how):
        return True
    if how == "prose" and says == 2:
        return is_random(value, 8) or (
            len(value) >= 10
            and holds(r"[A-Z]", value)
            and holds(r"[a-z]\d{1,4}[!#$%&*?+]{0,3}\Z", value)
        )
    if not quoted and fits(_CODE, value) and not is_random(value, 14):
        return False
    return is_random(value, 8 if says == 2 else 10)


def _is_chosen_for_a_secret(value: str, how: str) -> bool:
    """People choose secrets as well: a digit and a sign, words and a digit, a phrase."""
    digit = holds(r"\d", value)
    if (digit and holds(r"[^\w.\-:/]", value)) or is_passphrase(value):
        return True
    if is_word_with_digits(value) or (how != "prose" and is_made_of_words(value)):
        return True
    return (
        len(value) >= 8
        and value != value.lower()
        and value != value.upper()
        and holds(r"[A-Za-z]\d{1,4}[.!]?\Z|[_\-.]\d{1,4}\Z", value)
    )


def is_word_with_digits(value: str) -> bool:
    """Return whether a value is one word, not a plain one, with digits in it or behind: `thunder3795`."""
    if not fits(r"(?!0x)(?=[A-Za-z]{0,24}\d)(?=\d{0,4}[A-Za-z])[A-Za-z0-9]{7,24}[!?#$]?\Z", value):
        return False
    words = {word.lower() for word in PART.findall(value)}
    return sum(map(len, words)) >= 4 and words.isdisjoint(PLAIN) and not fits(OF_THE_TRADE, value)


def is_made_of_words(value: str) -> bool:
    """Return whether a value is two words and more with a digit, none of them plain: `ribbon-fish-9`."""
    if not fits(r"(?=\D{0,64}\d)[A-Za-z0-9]{1,24}(?:[-_][A-Za-z0-9]{1,24}){1,8}\Z", value):
        return False
    words = {word.lower() for word in PART.findall(value)}
    return sum(len(word) > 3 for word in words) > 1 and words.isdisjoint(PLAIN)


def is_passphrase(value: str) -> bool:
    """Return whether a value is words drawn from a list: three and more, less than half of them plain."""
    parts = compiled(r"[-_ +~:,|.]+").split(value)
    words = [part.rstrip("0123456789!?#$%&*") for part in parts]
    least = 4 if " " in value or "." in value else 3
    if not least <= sum(map(str.isalpha, words)) or len(words) > 25:
        return False
    if any(not word.isalpha() and word for word in words):
        return False
    if sum(len(word) < 3 for word in words) > 1:
        return False
    if len({word[:1].isupper() for word in words[1:]}) > 1 and value != value.lower():
        return False
    return sum(word.lower() in PLAIN for word in words) * 2 < len(words)


def is_quoted_phrase(value: str) -> bool:
    """Tell whether words in quotes, handed over by a sentence or a flag, are a password: `My dog Rex is 7!`."""
    words = compiled(r"[^\W_]+(?:['’][^\W_]+)?").findall(value.lower())
    if not 2 <= len(words) <= 25 or holds(r"[=<>{}()\[\]/:;|]", value):
        return False
    digit = holds(r"\d", value)
    told = sum(word in PLAIN for word in words)
    return told * 2 <= len(words) and (digit or len(words) > 2)


_JOINED = r"[A-Za-z]{3,24}(?:[-_.][A-Za-z]{3,24}){1,8}\Z"


def _is_a_pair_of_words(value: str, how: str, quoted: bool, alone: bool) -> bool:
    """Return whether words with a sign between them, too few for a phrase, are chosen: `velvet-granite`."""
    words = compiled(r"[-_.]").split(value.lower())
    plain = sum(word in PLAIN for word in words)
    told = quoted or how in ("flag", "cell", "sql")
    if "." in value:
        return told and plain == 0 and not fits(_TABLE["file or host"][0], value)
    if plain * 2 >= len(words):
        return False
    if how == "prose" and not quoted:  # `two-factor` and `case-sensitive` are adjectives
        return plain == 0 and "-" in value and not holds(_TABLE["adjective"][0], value)
    return told or alone or "-" in value


def _is_chosen(value: str, how: str, quoted: bool, alone: bool) -> bool:
    """Return whether a person chose it as a password: in quotes or alone on a line it needs no randomness."""
    if is_passphrase(value):
        return how != "assigned" or quoted or alone or "_" not in value
    if fits(_JOINED, value):
        return _is_a_pair_of_words(value, how, quoted, alone)
    if not quoted and fits(_CALL, value):
        return False
    if value.isdigit():
        return quoted or alone or how in ("flag", "cell") or 6 <= len(value) <= 12
    letters = [word.lower() for word in PART.findall(value) if len(word) > 2]
    digit = holds(r"\d", value)
    symbol = holds(r"[^\w.\-:/]", value)
    mixed = value != value.upper() and value[1:] != value[1:].lower()
    if quoted or alone or how in ("flag", "cell", "sql"):
        if digit or symbol:
            if alone and fits(r"[a-z_]{1,40}\d?\Z", value):
                return not (letters and set(letters) <= PLAIN)  # a variable: `password2`
            return not (len(letters) > 1 and not digit and not quoted and set(letters) <= PLAIN)
        return value.isalpha() and len(value) >= 6 and not (letters and set(letters) <= PLAIN)
    if how == "prose":
        if fits(_NAMES_A_THING, value):
            return False
        if (
            letters
            and set(letters) <= PLAIN
            and not symbol
            and not fits(r"[A-Za-z]{4,}\d{3,}\Z", value)
        ):
            return False
        return len(value) >= 6 and (digit or symbol or mixed or value.lower() in _COMMON)
    if value.lower() in _COMMON:
        return True
    if fits(_CODE, value) and not (digit and value.isalnum()):
        return mixed and is_random(value, 8)
    return digit or symbol or (mixed and not value.isalpha())


# Names of algorithms and protocols have digits and capitals as well.
OF_THE_TRADE = _TABLE["of the trade"][0]


_CLASSES = (r"\d", r"[a-z]", r"[A-Z]", r"[!@#$%^&*+?]")


def is_strong(value: str) -> bool:
    """Return whether a word among others can be nothing but a password: three classes, or words in a row."""
    value = value[:LONG]
    classes = sum([holds(of, value) for of in _CLASSES])
    if classes < 3 and "-" not in value:
        return False
    if (
        fits(r"[./~-]|[a-z]{1,8}://|v?\d+[.\d]*\Z|\S{1,40}\.[A-Za-z]\w{0,3}\Z", value)
        or fits(r"[#@][\w\-]{1,40}\Z", value)
        or fits(OF_THE_TRADE, value)
    ):
        return False
    return (classes >= 3 and is_secret(value, 3, "prose")) or (
        "-" in value and is_passphrase(value)
    )


def is_likely(value: str) -> bool:
    """Return whether a word right beside the name of a password is more likely one than anything else."""
    if value.isdigit():
        return len(value) >= 6
    if not value.isalpha() and (
        is_strong(value) or is_made_of_words(value) or is_word_with_digits(value)
    ):
        return True
    return is_random(value, 10)


_PAIRS = words(_TABLE["pairs"])
_LETTER_PAIR = r"(?=([a-z]{2}))"
# Drawn text goes to and fro between letters and digits; names do not.
CASE_RUN = r"[A-Z]?[a-z]{3,}|[A-Z]{3,}"
TURN = r"[A-Za-z](?=\d)|\d(?=[A-Za-z])"


def wordiness(value: str) -> float:
    """Share of frequent pairs among neighbouring letters: words > .45, random mostly < .35."""
    pairs: list[str] = compiled(_LETTER_PAIR).findall(value[:256].lower())
    if len(pairs) < 4:
        return 0.0
    return sum(map(_PAIRS.__contains__, pairs)) / len(pairs)


def is_random(value: str, least: int) -> bool:
    """Return whether a value of at least `least` characters looks drawn rather than written."""
    size = len(value)
    if size < least or len(set(value)) < 6:
        return False
    if holds(r"[A-Za-z]-v?\d{1,4}(?:\.\d{1,6}){1,3}\Z", value):  # `name-1.2.3`
        return False
    if not value.strip("0123456789abcdefABCDEF-"):
        return size >= 12 and (size >= 14 or not value.isdigit())
    digits = len(compiled(r"\d").findall(value))
    mixed = value != value.lower() and value != value.upper()
    if digits == 0:
        if not mixed:
            return size >= 14 and wordiness(value) < 0.25
        return size >= 12 and not _is_camel_case(value)
    turns = len(compiled(TURN).findall(value))
    if turns >= 3 and turns * 7 >= size:
        return True
    written = _is_camel_case(value) if mixed else wordiness(value) >= 0.42
    return not written and (turns >= 2 or digits * 3 < size)


def _is_camel_case(value: str) -> bool:
    """Return whether most letters of mixed case stand in runs of one case, and in frequent pairs."""
    letters = len(compiled(r"[A-Za-z]").findall(value))
    runs: list[str] = compiled(CASE_RUN).findall(value)
    return sum(map(len, runs)) >= 0.6 * letters and wordiness(value) >= 0.3
