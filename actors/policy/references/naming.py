"""Names of a project's things in a text: files, a line of one, and symbols.

Only existing things count: a file of the project, a symbol defined in a file named in the text or touched
by its session. So the rules for a name may be generous here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from actors.policy.events.commands import segments
from actors.policy.events.edits import files_named
from actors.policy.patterns import pattern
from actors.policy.references.references import Reference, defined, line_reference, symbol_reference
from actors.policy.references.symbols import definition, is_kind, parts
from actors.policy.text.words import CODE_FILES, DATA_FILES, word_list

READ: Final = 8_000  # characters of a text
NAMES: Final = 24  # symbols of a text that are looked for
MOST: Final = 8  # references of one memory
READ_FILES: Final = 24  # looked through for the names of one text
# Made by a build, or another's: that these come and go says nothing of a memory.
GENERATED: Final = frozenset(
    "node_modules dist build target out .venv venv __pycache__ .git tmp coverage vendor".split()
)
UNNAMED: Final = frozenset({"__init__", "index", "mod", "lib", "main"})  # named by their folder
_TICKED: Final = pattern(r"`([^`\n]{2,120})`")
_SYMBOL: Final = pattern(
    r"(?<![\w./$@-])@?(?:[A-Za-z_]\w{2,60}|[A-Z]\w?(?=\.|::|#)|(?<=`)[A-Za-z_]\w(?=`))(?:(?:\.#?|::|#)[A-Za-z_]\w{1,60}){0,5}(?![\w/-])(?:[?!](?![\w=.?!]))?(?:\((?!s\)))?"
)
_CAPITAL: Final = pattern(r"(?<![\w./$@-])[A-Z][a-z]{3,60}(?![\w/(-]|\.\w|::|#\w)")
_PLURAL: Final = pattern(r"\A[A-Z][a-z]*[^siua\W]s [a-z]*[^s\W]\b")
# A small word that a text begins with, one with a capital within a sentence.
_FUNCTION: Final = pattern(r"(?:\A[a-z]|(?<=[a-z,] )[A-Z])[a-z]{2,60}(?= [a-z]|[.:,;] |\.\Z)")
# A member that is called as files end: `Context.env`.
_MEMBER: Final = pattern(r"\A[A-Z]+[a-z]\w*\.(?:db|env|html|json|log|xml)(?!\w)")
_WORD: Final = pattern(r"[a-z0-9]{2,}")
_TERM: Final = pattern(r"[^\W\d]\w{3,}")
_CAMEL: Final = pattern(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d+[a-z]")
# A word behind these names what they do in the project ...
_RUNNERS: Final = frozenset("make just task npm pnpm yarn bun".split())
# ... and two behind these.
_PROGRAMS: Final = word_list(__name__, "programs")
_KEYS: Final = (".pem", ".key", ".p12", ".pfx", ".kdbx")
_PROSE: Final = (".md", ".mdx", ".rst", ".txt", ".adoc", ".log", ".csv")  # they define nothing
_NONE: Final[Mapping[str, Reference]] = {}
_OPTIONAL: Final = frozenset({"run", "run-script"})


class Named(Struct, frozen=True):
    """Files and symbols of a text, each once, in its order."""

    files: Mapping[str, int | None]  # in the project, or a file's name alone; each with its line
    symbols: tuple[str, ...]
    words: tuple[str, ...] = ()  # plain ones with a capital, which may be classes
    subject: str = ""  # the word or symbol that the text begins with
    functions: tuple[str, ...] = ()  # words that may be functions: a small one that it begins with
    terms: frozenset[str] = frozenset()  # its longer words, which tell namesakes apart
    text_words: frozenset[str] = frozenset()  # all of them, for the names of files


def named(text: str, project: str) -> Named:
    """Find the names of a project's things in a memory's text."""
    text = text[:READ]
    written = {path: relative(path, project) for path in files_named(text)}
    files = {path: _line(text, said) for said, path in written.items() if path}
    said = (match.group() for match in _SYMBOL.finditer(text))
    said = (
        name for name in said if name not in written or not _is_file(name) or _MEMBER.match(name)
    )
    ticked = {inner.removesuffix("()") for inner in _TICKED.findall(text)}
    plain = ((name, name.strip("(@")) for name in said)
    names = (own for name, own in plain if name != own or own in ticked or is_compound(own))
    # `valid?` is a name in Ruby, elsewhere the end of a question.
    spelled = (one for name in names for one in (name, name.rstrip("?!")))
    words = dict.fromkeys(_CAPITAL.findall(text))
    functions = (word.group() for word in _FUNCTION.finditer(text))
    symbols = tuple(dict.fromkeys(spelled))[:NAMES]
    return Named(
        files,
        symbols,
        tuple(words)[:NAMES],
        _subject(text, symbols),
        tuple(dict.fromkeys(functions))[:NAMES],
        terms_of(text),
        frozenset(_WORD.findall(text.casefold())),
    )


def terms_of(text: str) -> frozenset[str]:
    """Return the longer words of a text, also of code."""
    return frozenset(word.casefold() for word in _TERM.findall(text))


def relative(path: str, project: str) -> str:
    """Return a path as it lies in the project; "" for one outside it, and for a build's output."""
    inside = path.removeprefix(f"{project}/").removeprefix("./")
    parts = inside.split("/")
    outside = inside.startswith(("/", "~")) or ".." in parts
    return "" if outside or not GENERATED.isdisjoint(parts) else inside


def is_written(path: str) -> bool:
    """Return whether people write a file: it lies in no folder made by a build."""
    return GENERATED.isdisjoint(path.split("/")[:-1])


def is_source(path: str) -> bool:
    """Return whether a file is code written by people."""
    return path.rpartition(".")[2].casefold() in CODE_FILES and is_written(path)


def is_secret(path: str) -> bool:
    """Tell whether a file is likely to hold secrets: a hash of a line would give them away."""
    name = path.rpartition("/")[2].casefold()
    return name.startswith((".env", "credentials", "secrets")) or name.endswith(_KEYS)


def candidates(what: Named, touched: Iterable[str]) -> tuple[str, ...]:
    """List the files to read for these names: the named ones, the touched ones."""
    called = frozenset(path.rpartition("/")[2] for path in what.files)
    beside = (one for one in touched if what.symbols or one.rpartition("/")[2] in called)
    return tuple(dict.fromkeys((*what.files, *beside)))[:READ_FILES]


def alone(what: Named, there: Iterable[str]) -> frozenset[str]:
    """Return the files named without a folder and absent from the project's own."""
    return frozenset(one for one in what.files if "/" not in one and _is_file(one)).difference(
        there
    )


def references(
    what: Named, texts: Mapping[str, str | None], searched: Mapping[str, Reference] = _NONE
) -> tuple[Reference, ...]:
    """Refer to the existing things among the names; ``texts``: the candidates, None for an unreadable one.

    A symbol is looked for in the named files, then in the others, of which exactly one may define
    it, then in the results ``searched`` in the whole project. A plain word is a symbol where the
    text begins with it, or no other is found, or a named file has it. Names mentioned in passing go
    last. A file with a known symbol or line is not named a second time.
    """
    lines = {place: line for path, line in what.files.items() for place in _places(path, texts)}
    code = {
        path: text for path, text in texts.items() if text and not path.casefold().endswith(_PROSE)
    }
    here = [path for path in lines if path in code]
    beside = [path for path in code if path not in here]
    subject = what.subject if what.subject not in what.symbols else ""
    found = [searched[subject]] if subject in searched else []
    for symbol in what.symbols:
        for paths in (here, beside):
            defining = [
                one for path in paths if (one := symbol_reference(path, code[path], symbol))
            ]
            if len(defining) == 1 or (defining and paths is here):
                found.append(defining[0])
                break
        else:
            found += [searched[symbol]] if symbol in searched else []
    words = dict.fromkeys((*what.words, *what.functions))
    found = found or [searched[word] for word in words if word in searched]
    found.sort(key=lambda one: _doubts(one, what.subject))
    known = {one.path for one in found}
    for path, line in lines.items():
        text = texts[path]
        of_line = line_reference(path, text, line) if line is not None and text else None
        if of_line is not None:
            found.append(of_line)
        elif path not in known:
            found.append(Reference(path))
    return tuple(found[:MOST])


def members(
    found: Sequence[Reference], what: Named, texts: Mapping[str, str | None]
) -> tuple[Reference, ...]:
    """Put a method named in the text in the place of its class, which tells its owner.

    `clone()` of `Timeout` is `Timeout.clone`, whatever the namesakes. ``texts``: the files of the
    classes.
    """
    places = {one: _member(one, what.symbols, texts.get(one.path)) for one in found if one.is_type}
    methods = {(one.path, parts(one.symbol)[-1]): one for one in places.values() if one}
    exact = (methods.get((one.path, parts(one.symbol)[-1]), one) for one in found)
    return tuple(dict.fromkeys(places.get(one) or one for one in exact))


def joined(given: Sequence[Reference], found: Iterable[Reference]) -> tuple[Reference, ...]:
    """Put places given by whoever remembers before the ones named in the text."""
    lines = {(one.path, one.line) for one in given}
    others = (one for one in found if one.symbol or (one.path, one.line) not in lines)
    return (*given, *others)[:MOST]


def _subject(text: str, symbols: Sequence[str]) -> str:
    """Return the name at the beginning of a text; a plural is prose where no member of it is named."""
    word = _CAPITAL.match(text)
    if word is None:
        symbol = _SYMBOL.match(text, text.startswith("`"))
        return symbol.group().strip("(@") if symbol else ""
    is_owner = any(one.startswith(f"{word.group()}.") for one in symbols)
    return "" if _PLURAL.match(text) and not is_owner else word.group()


def _doubts(found: Reference, subject: str) -> int:
    """Count the signs against a text being about this name and not about another in it.

    It is a guess; an option or an error of the function in question; one word other than a type.
    For a function or a type at the beginning of the text only the first counts.
    """
    begins = found.symbol == subject and (found.is_type or not found.is_data)
    is_word = not found.is_type and not is_compound(found.symbol)
    return found.is_guess + (0 if begins else found.is_data + is_word)


def _member(owner: Reference, symbols: Sequence[str], text: str | None) -> Reference | None:
    """Refer to the first of these symbols among the methods of a class; None when there is none."""
    if text is None:
        return None
    name = parts(owner.symbol)[-1]
    for symbol in symbols:
        *of, last = parts(symbol)
        if of[-1:] not in ([], [name]):
            continue
        found = definition(text, f"{name}.{last}")
        if found is not None and found.sure and not (found.is_data or is_kind(found.keyword)):
            return defined(owner.path, text, f"{name}.{last}", found)
    return None


def _places(path: str, texts: Mapping[str, str | None]) -> list[str]:
    """Find where a named file lies; by its name alone when just one file is called so."""
    if path in texts or "/" in path:
        return [path] if path in texts else []
    found = [one for one in texts if one.endswith(f"/{path}")]
    return found if len(found) == 1 else []


def _line(text: str, path: str) -> int | None:
    """Read the line number after a path: `src/pay.py:42`."""
    after = text.partition(f"{path}:")[2][:6]
    digits = re.match(r"\d+", after)
    return int(digits.group()) if digits else None


def _is_file(name: str) -> bool:
    return name.rpartition(".")[2] in CODE_FILES | DATA_FILES


def is_compound(name: str) -> bool:
    """Tell whether a name is more than one word, and so not a word of any sentence."""
    return (
        "_" in name.strip("_")
        or name.startswith("_") != name.endswith("_")  # both: a word in italics
        or any(mark in name for mark in (".", "::", "#"))
        or _CAMEL.search(name) is not None
    )


def command_prefix(span: str) -> str:
    """Return a command as far as its name goes, and "" where a span is none: `make lint`, `git push --force`."""
    words = next(iter(segments(span)), "").split()
    if len(words) < 2 or words[1].startswith("-"):
        return ""
    if words[0] in _PROGRAMS:
        return " ".join(words[:3])
    at = 2 if words[1] in _OPTIONAL and len(words) > 2 else 1
    return " ".join(words[: at + 1]) if words[0] in _RUNNERS and words[at][0] != "-" else ""
