"""A shell's command line as its simple commands: words, pipes, redirections, here-documents.

Words keep their quotes, since text in single ones is not expanded. Every pattern is linear; an unclosed quote or
document reaches to the end. Imports only `re` and runs on Python 3.8: the hook loads it by file path.
"""

from __future__ import annotations

import re

READ = 20_000  # characters of a command line

_DOCUMENT = re.compile(r"(?<!<)<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1")
_TOKEN = re.compile(
    r"(?P<document><<\d+)(?!\S)|(?P<to>[\d&]?>>?\|?(?P<stream>&[\d\-])?)|(?P<fed><<?<?)|(?P<pipe>\|&?(?!\|))"
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
    """A simple command: its words as written, its input, its output files."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.fed = ""  # the file of `< file`
        self.document = ""  # the text of `<< END`
        self.written: list[str] = []  # the files that its output goes into

    @property
    def is_kept(self) -> bool:
        """Return whether its output goes into a file."""
        return bool(self.written) and self.written[-1] not in _STREAMS


def pipelines(line: str) -> list[list[Command]]:
    """The pipelines of a line's first `READ` characters, each a list of simple commands."""
    found: list[list[Command]] = []
    pipeline = [Command()]
    goes_to = ""  # the redirection that waits for its file
    line, documents = _without_documents(line[:READ].replace("\\\n", " "))
    for token in _TOKEN.finditer(line):
        command = pipeline[-1]
        kind = token.lastgroup
        if kind == "word":
            _take(command, token["word"], goes_to)
            goes_to = ""
        elif kind == "document":
            number = int(token["document"][2:])
            command.document = documents[number] if number < len(documents) else ""
        elif token["to"] is not None:
            aside = token["to"][0] not in "1&>"
            goes_to = "" if token["stream"] is not None else "aside" if aside else "to"
        elif kind == "fed":
            goes_to = kind
        else:
            goes_to = ""
            if kind == "pipe":
                pipeline.append(Command())
                continue
            found.append(pipeline)
            pipeline = [Command()]
    found.append(pipeline)
    for empty in (one for each in found for one in each if one.written and not one.words):
        empty.words = [":"]  # what `> file` alone does, too
    return [kept for kept in ([one for one in each if one.words] for each in found) if kept]


def _take(command: Command, word: str, goes_to: str) -> None:
    if goes_to == "to":
        command.written.append(plain(word))
    elif goes_to == "fed":
        command.fed = plain(word)
    elif not goes_to:
        command.words.append(word)


def _without_documents(line: str) -> tuple[str, list[str]]:
    """The line with numbers for its here-documents, and these; an unclosed one reaches to the end."""
    kept: list[str] = []
    documents: list[str] = []
    at = 0
    while True:
        begun = _DOCUMENT.search(line, at)
        ends = -1 if begun is None else line.find("\n", begun.end())
        if begun is None or ends < 0:
            return "".join([*kept, line[at:]]), documents
        kept.append(line[at : begun.start()])
        at, start = ends, begun.start()
        for operator in _DOCUMENT.finditer(line, start, ends):
            kept += [line[start : operator.start()], f" <<{len(documents)} "]
            document, at = _document(line, at, operator[2])
            documents.append(document)
            start = operator.end()
        kept.append(line[start:ends])


def _document(line: str, at: int, mark: str) -> tuple[str, int]:
    """The lines after ``at`` up to the mark's line, and the end of the mark."""
    over = re.compile(rf"\n[ \t]*{mark}[ \t]*(?=\n|\Z)").search(line, at)
    if over is None:
        return line[at + 1 :], len(line)
    return line[at + 1 : over.start() + 1], over.end()


def plain(word: str) -> str:
    """A word without its quotes; in a Windows path a backslash is none."""
    if _DRIVE.match(word) is not None:
        return word.strip("'\"")
    return _QUOTES.sub(lambda part: part[1] or part[2] or part[3] or "", word)


def expanded(word: str) -> str:
    """Part of a word expanded by the shell: all but text in single quotes."""
    return _SINGLE.sub(lambda part: "" if part[1] else part[0], word)


def program_of(word: str) -> str:
    """The name of the program in a command's first word."""
    name = plain(word).replace("\\", "/").rsplit("/", 1)[-1]
    return _EXE.sub("", name)


def unwrapped(words: list[str]) -> list[str]:
    """The words from the working program on; `env` alone is `printenv`."""
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
