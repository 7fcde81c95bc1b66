"""A shell's command line as its simple commands: words, pipes, redirections.

Enough of the grammar to tell which program is run with which words, and where its output goes.
Words keep their quotes, since what stands between single ones is not expanded. Here-documents are
left out: they are text. Every pattern is linear; an unclosed quote reaches to the end.

Imports only `re` and runs on Python 3.8: the hook loads it by file path.
"""

from __future__ import annotations

import re

READ = 8_000  # characters of a command line

_DOCUMENT = re.compile(r"(?<!<)<<-?[ \t]*['\"]?([A-Za-z_]\w*)['\"]?")
_TOKEN = re.compile(
    r"(?P<to>[\d&]?>>?\|?(?P<stream>&[\d\-])?)|(?P<fed><<?<?)|(?P<pipe>\|&?(?!\|))"
    r"|(?P<end>&&|\|\||[;\n&()])"
    r"|(?P<word>(?:[^\s;&|<>()'\"\\`$]|\\.|'[^']*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\\?\Z)"
    r"|`[^`]*(?:`|\Z)|\$\([^()]*\)|\$)+)",
    re.DOTALL,
)
_QUOTES = re.compile(r"'([^']*)'|\"((?:\\.|[^\"\\])*)\"|\\(.)", re.DOTALL)
_SINGLE = re.compile(r"\"(?:\\.|[^\"\\])*(?:\"|\\?\Z)|('[^']*(?:'|\Z))", re.DOTALL)
_DRIVE = re.compile(r"[\"']?[A-Za-z]:\\")
_EXE = re.compile(r"\.exe\Z")  # Python 3.8 has no removesuffix
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/tty")

ASSIGNMENT = re.compile(r"\A([A-Za-z_]\w*)=")
_KEYWORDS = frozenset(
    "then do else elif if while until { ! time nohup command builtin exec".split()
)
# Programs that run another one, with their options that take a word of their own.
_PREFIXES = {
    "sudo": ("-u", "-g", "-U", "-h", "-p"),
    "doas": ("-u",),
    "nice": ("-n",),
    "timeout": ("-k", "-s"),
    "stdbuf": (),
    "xargs": ("-I", "-n", "-P", "-L", "-d"),
    "watch": ("-n",),
    "env": ("-u", "-C", "-S"),
}
_OPTION = re.compile(r"\A(?:-|\d+(?:\.\d+)?[smhd]?\Z)")
_RUNNERS = frozenset("uv poetry pipenv pdm hatch bundle pnpm yarn mise direnv".split())


class Command:
    """A simple command: its words as written, what it is fed, where it writes."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.fed = ""  # the file of `< file`
        self.is_kept = False  # its output goes into a file


def pipelines(line: str) -> list[list[Command]]:
    """The pipelines of a line's first `READ` characters, each a list of simple commands."""
    found: list[list[Command]] = []
    pipeline = [Command()]
    goes_to = ""  # the redirection that waits for its file
    for token in _TOKEN.finditer(_without_documents(line[:READ])):
        command = pipeline[-1]
        kind = token.lastgroup
        if kind == "word":
            _take(command, token["word"], goes_to)
            goes_to = ""
        elif token["to"] is not None:
            aside = token["to"].startswith("2")
            goes_to = "" if token["stream"] is not None else "aside" if aside else "to"
        elif kind == "fed":
            goes_to = kind
        elif kind == "pipe":
            pipeline.append(Command())
        else:
            if command.words or len(pipeline) > 1:
                found.append(pipeline)
            pipeline = [Command()]
    found.append(pipeline)
    return [kept for kept in ([one for one in each if one.words] for each in found) if kept]


def _take(command: Command, word: str, goes_to: str) -> None:
    if goes_to == "to":
        command.is_kept = plain(word) not in _STREAMS
    elif goes_to == "fed":
        command.fed = plain(word)
    elif not goes_to:
        command.words.append(word)


def _without_documents(line: str) -> str:
    at = 0
    pieces: list[str] = []
    found = _DOCUMENT.search(line)
    while found is not None:
        begin = line.find("\n", found.end())
        if begin < 0:
            break
        end = line.find("\n" + found[1], begin)
        pieces.append(line[at:begin])
        at = len(line) if end < 0 else end + 1 + len(found[1])
        found = _DOCUMENT.search(line, at)
    return "".join(pieces) + line[at:]


def plain(word: str) -> str:
    """A word without its quotes; in a Windows path a backslash is none."""
    if _DRIVE.match(word) is not None:
        return word.strip("'\"")
    return _QUOTES.sub(lambda part: part[1] or part[2] or part[3] or "", word)


def expanded(word: str) -> str:
    """Part of a word that the shell expands: all but what stands in single quotes."""
    return _SINGLE.sub(lambda part: "" if part[1] else part[0], word)


def program_of(word: str) -> str:
    """The name of the program that a command's first word runs."""
    name = plain(word).replace("\\", "/").rsplit("/", 1)[-1]
    return _EXE.sub("", name)


def unwrapped(words: list[str]) -> list[str]:
    """The words from the program that does the work on; `env` alone is `printenv`."""
    while words:
        program = program_of(words[0])
        if program in _KEYWORDS or ASSIGNMENT.match(words[0]) is not None:
            words = words[1:]
        elif program in _PREFIXES:
            rest = words[1:]
            while rest and (_OPTION.match(rest[0]) or ASSIGNMENT.match(rest[0])):
                rest = rest[2 if rest[0] in _PREFIXES[program] else 1 :]
            if program == "env" and not rest:
                return ["printenv"]
            words = rest
        elif program in _RUNNERS and words[1:2] and words[1] in ("run", "exec", "--"):
            words = [word for word in words[2:] if word != "--"]
        else:
            return words
    return words
