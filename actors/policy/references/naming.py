"""Names in a text of what a project has: files, a line of one, symbols, and commands that a file defines.

Only what is there counts: a path that the project has, a symbol that is defined in a file that the
text names or that its session touched. So a name may be generously taken for one here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.events.commands import segments
from actors.policy.events.surroundings import files_named
from actors.policy.patterns import pattern
from actors.policy.references.references import (
    Reference,
    defined,
    line_reference,
    symbol_reference,
)
from actors.policy.references.symbols import definition, is_kind, parts
from actors.policy.text.tables import word_list
from actors.policy.text.words import CODE_FILES, DATA_FILES

READ: Final = 8_000  # characters of a text
NAMES: Final = 24  # symbols of a text that are looked for
MOST: Final = 8  # references of one memory
READ_FILES: Final = 24  # that are looked through for what one text names
# Made by a build, or another's: that these come and go says nothing of a memory.
GENERATED: Final = frozenset(
    "node_modules dist build target out .venv venv __pycache__ .git tmp coverage vendor".split()
)
UNNAMED: Final = frozenset({"__init__", "index", "mod", "lib", "main"})  # named by their folder
# A rule or a trap: what is to be done, or not, by a command.
RULES: Final = frozenset({"convention", "preference", "decision", "discovery", "bugfix"})

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
# Which file says what a command does, and which word of it is the name there.
_RUNNERS: Final[Mapping[str, tuple[str, ...]]] = {
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("package.json",)),
}
# Their next words say what they do, and no file of the project does.
_PROGRAMS: Final = word_list(__name__, "programs")
_KEYS: Final = (".pem", ".key", ".p12", ".pfx", ".kdbx")
_PROSE: Final = (".md", ".mdx", ".rst", ".txt", ".adoc", ".log", ".csv")  # they define nothing
_NONE: Final[Mapping[str, Reference]] = {}
_OPTIONAL: Final = frozenset({"run", "run-script"})


@dataclass(frozen=True, slots=True)
class Command:
    """A command in a text: its prefix, the files that may define it, its name there."""

    prefix: str
    files: tuple[str, ...]
    symbol: str


@dataclass(frozen=True, slots=True)
class Named:
    """Files, symbols and commands of a text, each once, in its order."""

    files: Mapping[str, int | None]  # in the project, or a file's name alone; each with its line
    symbols: tuple[str, ...]
    commands: tuple[Command, ...]
    words: tuple[str, ...] = ()  # plain ones with a capital, which may be classes
    subject: str = ""  # the word or symbol that the text begins with
    functions: tuple[str, ...] = ()  # words that may be functions: a small one that it begins with
    terms: frozenset[str] = frozenset()  # its longer words, which tell namesakes apart
    text_words: frozenset[str] = frozenset()  # all of them, for the names of files


def named(text: str, kind: str, project: str) -> Named:
    """Find what a memory's text names in its project; commands in rules and traps alone."""
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
    spans = _TICKED.findall(text) if kind in RULES else []
    commands = (command for span in spans if (command := _command(span)) is not None)
    return Named(
        files,
        symbols,
        tuple(dict.fromkeys(commands))[:MOST],
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
    """Tell whether people write a file: it lies in no folder that a build makes."""
    return GENERATED.isdisjoint(path.split("/")[:-1])


def is_source(path: str) -> bool:
    """Tell whether a file is code that people write."""
    return path.rpartition(".")[2].casefold() in CODE_FILES and is_written(path)


def is_secret(path: str) -> bool:
    """Tell whether a file is likely to hold secrets: a hash of a line would give them away."""
    name = path.rpartition("/")[2].casefold()
    return name.startswith((".env", "credentials", "secrets")) or name.endswith(_KEYS)


def candidates(what: Named, touched: Iterable[str]) -> tuple[str, ...]:
    """List the files to read for what is named: those named, those of commands, those touched."""
    defining = (path for command in what.commands for path in command.files)
    called = frozenset(path.rpartition("/")[2] for path in what.files)
    beside = (one for one in touched if what.symbols or one.rpartition("/")[2] in called)
    return tuple(dict.fromkeys((*what.files, *defining, *beside)))[:READ_FILES]


def alone(what: Named, there: Iterable[str]) -> frozenset[str]:
    """Return the files that are named without a folder, and do not lie in the project's own."""
    return frozenset(one for one in what.files if "/" not in one and _is_file(one)).difference(
        there
    )


def references(
    what: Named, texts: Mapping[str, str | None], searched: Mapping[str, Reference] = _NONE
) -> tuple[Reference, ...]:
    """Refer to what of it is there; ``texts``: the candidates, None for one that may not be read.

    A symbol is looked for in the files that are named, then in the others, of which exactly one
    may define it, then among what was ``searched`` for in the whole project. A plain word is a
    symbol where the text begins with it, or no other is found, or a file that is named has it. What
    a text names in passing goes last. A file of which a symbol or a line is known is not named a
    second time.
    """
    lines = {place: line for path, line in what.files.items() for place in _places(path, texts)}
    here = [*lines]
    beside = [path for path in texts if path not in here]
    subject = what.subject if what.subject not in what.symbols else ""
    found = [searched[subject]] if subject in searched else []
    for symbol in what.symbols:
        for paths in (here, beside):
            defining = [one for path in paths if (one := _of_symbol(path, symbol, texts[path]))]
            if len(defining) == 1 or (defining and paths is here):
                found.append(defining[0])
                break
        else:
            found += [searched[symbol]] if symbol in searched else []
    words = dict.fromkeys((*what.words, *what.functions))
    found = found or [searched[word] for word in words if word in searched]
    found.sort(key=lambda one: _doubts(one, what.subject))
    if not found:
        bare = (path for path in here if lines[path] is None)
        found = [one for path in bare if (one := _told(path, texts[path], what.terms))]
    known = {one.path for one in found}
    for path in here:
        line, text = lines[path], texts[path]
        of_line = line_reference(path, text, line) if line is not None and text else None
        if of_line is not None:
            found.append(of_line)
        elif path not in known:
            found.append(Reference(path))
    found += [_of_command(command, texts) for command in what.commands]
    return tuple(found[:MOST])


def members(
    found: Sequence[Reference], what: Named, texts: Mapping[str, str | None]
) -> tuple[Reference, ...]:
    """Put a method that the text names in the place of its class, which tells whose it is.

    `clone()` of `Timeout` is `Timeout.clone`, whatever else is called so. ``texts``: the files of
    the classes.
    """
    places = {one: _member(one, what.symbols, texts.get(one.path)) for one in found if one.is_type}
    methods = {(one.path, parts(one.symbol)[-1]): one for one in places.values() if one}
    exact = (methods.get((one.path, parts(one.symbol)[-1]), one) for one in found)
    return tuple(dict.fromkeys(places.get(one) or one for one in exact))


def joined(given: Sequence[Reference], found: Iterable[Reference]) -> tuple[Reference, ...]:
    """Put places that whoever remembers gave before those that the text names."""
    lines = {(one.path, one.line) for one in given}
    others = (one for one in found if one.symbol or (one.path, one.line) not in lines)
    return (*given, *others)[:MOST]


def _subject(text: str, symbols: Sequence[str]) -> str:
    """Return the name that a text begins with; a plural is prose where no member of it is named."""
    word = _CAPITAL.match(text)
    if word is None:
        symbol = _SYMBOL.match(text, text.startswith("`"))
        return symbol.group().strip("(@") if symbol else ""
    is_owner = any(one.startswith(f"{word.group()}.") for one in symbols)
    return "" if _PLURAL.match(text) and not is_owner else word.group()


def _doubts(found: Reference, subject: str) -> int:
    """Count what speaks against a text being about this name and not about another in it.

    It is a guess; an option, which the function heeds that the text is about, or what that raises;
    one word that is no type. A function or a type that the text begins with is only the first.
    """
    begins = found.symbol == subject and (found.is_type or not found.is_data)
    is_word = not found.is_type and not is_compound(found.symbol)
    return found.is_guess + (0 if begins else found.is_data + is_word)


def _member(owner: Reference, symbols: Sequence[str], text: str | None) -> Reference | None:
    """Refer to the first of these symbols that is a method of a class; None when none is."""
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


def _of_symbol(path: str, symbol: str, text: str | None) -> Reference | None:
    if not text or path.casefold().endswith(_PROSE):
        return None
    return symbol_reference(path, text, symbol)


def _told(path: str, text: str | None, terms: frozenset[str]) -> Reference | None:
    """Refer to the one function or type of a named file that is a plain word of a short text."""
    terms = terms - UNNAMED if len(terms) <= NAMES else frozenset()
    defined = (_of_symbol(path, term, text) for term in sorted(terms))
    code = [one for one in defined if one and not one.is_data]
    return code[0] if len(code) == 1 else None


def _of_command(command: Command, texts: Mapping[str, str | None]) -> Reference:
    """Refer to the lines that define a command; to the prefix alone when no file here does."""
    for path in command.files:
        found = _of_symbol(path, command.symbol, texts.get(path))
        if found is not None:
            return Reference(path, command.symbol, command.prefix, found.digest)
    return Reference("", command=command.prefix)


def _line(text: str, path: str) -> int | None:
    """Read the line number that follows a path: `src/pay.py:42`."""
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
    """Return a command as far as its name goes, and "" where a span is none."""
    command = _command(span)
    return command.prefix if command is not None else ""


def _command(span: str) -> Command | None:
    """Read a command in ticks, as far as its name goes: `make lint`, `git push --force`."""
    words = next(iter(segments(span)), "").split()
    if len(words) < 2 or words[1].startswith("-"):
        return None
    if words[0] in _PROGRAMS:
        return Command(" ".join(words[:3]), (), "")
    files = _RUNNERS.get(words[0])
    if files is None:
        return None
    at = 2 if words[1] in _OPTIONAL and len(words) > 2 else 1
    if words[at].startswith("-"):
        return None
    return Command(" ".join(words[: at + 1]), files, words[at])
