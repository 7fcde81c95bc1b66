"""Events with a command or tool reading a secret: their output is one, whatever it looks like.

`printenv X_TOKEN`, `op read`, `cat password.txt` print a bare value; nothing in the value itself
marks it as a secret, so the event as a whole decides. Each simple command of a command line prints
nothing of the kind, or assignments of which some are secret (`env`), or a secret. Output piped into
a counter, or written to a file, is not printed.

The doubtful cases go the safe way: a masked output loses a fact, an unmasked one leaks a password.
"""

from __future__ import annotations

import re

from actors.policy.events.command_lines import (
    ASSIGNMENT,
    READ,
    Command,
    expanded,
    pipelines,
    plain,
    program_of,
    unwrapped,
)
from actors.policy.secrets.secret_values import MARKER, sections, words
from actors.policy.secrets.secret_words import is_ordinary, is_secret_file, is_secret_name, segments

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from typing import Union

    Json = Union[str, int, float, bool, None, list["Json"], dict[str, "Json"]]  # noqa: UP007

_TABLE = sections("secret_programs")
ANY = "*"  # among known variables: a file of secrets was sourced, so that any may hold one
DEEPEST = 3  # command lines within command lines: `ssh host "bash -c '…'"`
LEVELS = 64  # of a response, masked one by one; what is deeper is masked whole

_RESPONSES = ("tool_response", "tool_result", "tool_output", "output", "result", "error")
_WRITTEN = ("content", "new_string", "old_string", "new_str", "old_str", "file_text", "edits")
# Of a response these say what it is, not what it holds.
_FORMAL = ("type", "status", "mode", "role", "encoding", "language")
_FORM = re.compile(r"[\w\-]{1,24}\Z")
# Tools that hand over a secret, by the words of their names: `mcp__vault__read_secret`.
_READING = frozenset("get read show fetch reveal access retrieve".split())
_TOLD = frozenset("secret password credential credentials passphrase".split())
_ABOUT = frozenset("list scanning policy alert alerts metadata".split())


def masked(event: dict[str, Json]) -> dict[str, Json]:
    """The event with the secrets read by its command or tool masked; itself if it read none.

    Masking a masked event changes nothing.
    """
    given = event.get("tool_input")
    fields = given if isinstance(given, dict) else {}
    name = event.get("tool_name")
    prints = _printed_by_tool(name if isinstance(name, str) else "", fields)
    if prints == NOTHING:
        return event
    same = {value for value in fields.values() if isinstance(value, str)}
    cleaned = dict(event)
    for key in _RESPONSES:
        if key in event:
            cleaned[key] = _without(event[key], prints, same, key, LEVELS)
    if fields and _is_of_a_secret_file(fields):
        cleaned["tool_input"] = {
            key: _without(value, SECRET, set(), key, LEVELS) if key in _WRITTEN else value
            for key, value in fields.items()
        }
    return cleaned


def _printed_by_tool(tool: str, given: dict[str, Json]) -> int:
    words = set(segments(tool))
    if _is_of_a_secret_file(given) or (words & _READING and words & _TOLD and not words & _ABOUT):
        return SECRET
    for key in ("command", "cmd", "script"):
        line = given.get(key)
        if isinstance(line, list):  # `["bash", "-lc", "cat .env"]`
            line = " ".join(_quoted(word) for word in line if isinstance(word, str))
        if isinstance(line, str) and line:
            return printed(line)
    return NOTHING


def _is_of_a_secret_file(given: dict[str, Json]) -> bool:
    """Return whether a tool was given a file with a secret; a path may also be a folder's."""
    for key in ("file_path", "filePath", "absolute_path", "path"):
        path = given.get(key)
        if isinstance(path, str) and path:
            named = key != "path" or "." in path.replace("\\", "/").rsplit("/", 1)[-1]
            return named and is_secret_file(path)
    return False


def _quoted(word: str) -> str:
    return word if re.match(r"[\w./:=@,+%\-]+\Z", word) else '"' + word.replace('"', "'") + '"'


def _without(value: Json, prints: int, same: set[str], key: str, levels: int) -> Json:
    """The value with each string in it masked, except repetitions of the tool's input."""
    if isinstance(value, str):
        formal = key in _FORMAL and _FORM.match(value) is not None
        if not value.strip() or formal or value in same:
            return value
        return MARKER if prints == SECRET else _LINE.sub(_without_value, value)
    if isinstance(value, (list, dict)) and levels == 0:
        return MARKER
    if isinstance(value, list):
        return [_without(item, prints, same, key, levels - 1) for item in value]
    if isinstance(value, dict):
        return {
            name: _without(item, prints, same, name, levels - 1) for name, item in value.items()
        }
    return value


_LINE = re.compile(
    r"^([ \t]*(?:export |declare -\w+ )?([A-Za-z_]\w{0,99}) ?[=:][ \t]*)(\S.*)$", re.MULTILINE
)


def _without_value(line: re.Match[str]) -> str:
    """A line `NAME=value` without the value, if the name is a secret's."""
    return line[1] + MARKER if is_secret_name(line[2]) else line[0]


# -- command lines ----------------------------------------------------------------------------

_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_VARIABLE = re.compile(
    r"\$(?:env:)?(?:\{(#?)([A-Za-z_]\w*)(:?\+)?|([A-Za-z_]\w*))|%([A-Za-z_]\w*)%"
)
_USUAL = frozenset("HOME PATH USER PWD OLDPWD SHELL LANG TERM HOSTNAME RANDOM SECONDS".split())
_DOTNET_READ = re.compile(r"GetEnvironmentVariable\(\s{0,4}['\"](\w{1,99})")
_PRINTERS = frozenset("echo printf print Write-Output Write-Host".split())
_ASSIGNERS = frozenset("export declare local readonly typeset".split())
_COUNTERS = words(_TABLE["counters"])
_CLIENTS = frozenset("docker podman gh kubectl helm flyctl fly heroku vault op".split())
_FEEDS = re.compile(
    r"--?(?:password-stdin|stdin|with-token|body-file|passphrase-fd)|-\Z|set\Z|login\Z|apply\Z"
)
_SHELLS = frozenset("sh bash zsh dash ksh ash fish pwsh powershell cmd".split())
_SHELL_OPTION = re.compile(r"-\w{0,4}c\Z|-command\Z|/c\Z", re.IGNORECASE)
# Programs that run a command elsewhere, and the words that say that they do.
_ELSEWHERE = words(_TABLE["elsewhere"])
_ENTERING = frozenset("exec run ssh -- -c -C".split())
_RUN_THERE = re.compile(r"\A(?:.*/)?(?:printenv|env|cat|head|tail|echo|sh|bash|ash)\Z")


def printed(line: str, depth: int = 0, known: set[str] | None = None) -> int:
    """Degree to which a command line prints secrets. ``known``: variables with a secret."""
    known = set() if known is None else known
    asked = _DOTNET_READ.search(line[:READ])
    most = SECRET if asked is not None and is_secret_name(asked[1]) else NOTHING
    for pipeline in pipelines(line):
        prints = max([_printed_by_command(command, depth, known) for command in pipeline])
        if prints > most and not pipeline[-1].is_kept and not _hides(pipeline[-1]):
            most = prints
    return most


def _printed_by_command(command: Command, depth: int, known: set[str]) -> int:
    within = _printed_within(command.words, depth, known)
    words = unwrapped(command.words)
    if within == SECRET:
        given = command.words if not words else words[1:] if words[0] in _ASSIGNERS else []
        known.update(word.split("=", 1)[0] for word in given if ASSIGNMENT.match(word))
    if not words:  # `xargs < .env` alone is `echo`
        return SECRET if command.words and is_secret_file(command.fed) else NOTHING
    program, rest = program_of(words[0]), words[1:]
    if program in ("source", ".") and any(is_secret_file(plain(word)) for word in rest[:1]):
        known.add(ANY)
    line = _line_within(program, rest)
    if line:
        return printed(line, depth + 1, known) if depth < DEEPEST else NOTHING
    if program in _PRINTERS:
        return max(within, _printed_by_echo(rest, known))
    if program.lower().startswith("$env:"):  # PowerShell prints a variable that stands alone
        return _printed_by_echo(words, known)
    if is_secret_file(command.fed) and (program in READERS or program == "done"):
        return SECRET
    return printed_by_program(program, [plain(word) for word in rest])


def _printed_within(words: list[str], depth: int, known: set[str]) -> int:
    """Degree of the commands within the words, `$(…)`."""
    most = NOTHING
    if depth < DEEPEST:
        for word in words:
            for found in _SUBSTITUTION.finditer(expanded(word)):
                most = max(most, printed(found[1] or found[2] or "", depth + 1, known))
    return most


def _printed_by_echo(words: list[str], known: set[str]) -> int:
    """Degree of `echo`: a variable with a secret name, or with a secret in it."""
    for word in words:
        for found in _VARIABLE.finditer(expanded(word)):
            name = found[2] or found[4] or found[5]
            is_aside = bool(found[1] or found[3])  # `${#TOKEN}`, `${TOKEN:+set}`
            sourced = ANY in known and name not in _USUAL
            if not is_aside and (sourced or name in known or is_secret_name(name)):
                return SECRET
    return NOTHING


def _line_within(program: str, rest: list[str]) -> str:
    """The command line given to a shell, or to another machine; else empty."""
    if program == "eval":
        return " ".join(plain(word) for word in rest)
    if program in _SHELLS:
        options = [at for at, word in enumerate(rest) if _SHELL_OPTION.match(word)]
        return " ".join(plain(word) for word in rest[options[0] + 1 :]) if options else ""
    if program not in _ELSEWHERE or (program != "ssh" and _ENTERING.isdisjoint(rest)):
        return ""
    for at, word in enumerate(rest):
        bare = plain(word)
        if " " in bare and word[:1] in "'\"":
            return bare
        if at and _RUN_THERE.match(bare) is not None:
            return " ".join(rest[at:])
    return ""


def _hides(command: Command) -> bool:
    """Return whether the end of a pipeline prints nothing of its input: it counts, or logs in."""
    words = unwrapped(command.words)
    if not words:
        return False
    program = program_of(words[0])
    rest = [plain(word) for word in words[1:]]
    if program in ("grep", "rg", "egrep", "fgrep"):
        return any(SILENT.match(word) is not None for word in rest)
    if program in ("cut", "sed"):
        return NAMES_ALONE.search(" ".join(rest)) is not None
    if program in _CLIENTS:
        return any(_FEEDS.match(word) is not None for word in rest)
    return program in _COUNTERS


# ---- secrets printed by a program, by its name and its arguments
#
# The tables name the programs for keeping or making secrets; where a program prints any value on
# request (`terraform output`, `printenv`), the requested name decides.


# What a command prints of secrets, from least to most.
NOTHING, ASSIGNMENTS, SECRET = 0, 1, 2

READERS = words(_TABLE["readers"])
_SEARCHES = frozenset("grep egrep fgrep rg".split())
_QUERIES = frozenset("jq yq dasel gojq jaq".split())
_FIELD = re.compile(r"\.\"?([A-Za-z_][\w\-]*)\"?[\])\s?]*\Z")
# Where a machine, or a vault, hands out secrets over HTTP.
_SERVED = re.compile(_TABLE["served"][0])
_INTERPRETERS = re.compile(r"(?:python[\d.]*|node|nodejs|ruby|perl|php|deno|bun|pwsh|lua)\Z")
_ENVIRONMENT_READ = re.compile(_TABLE["environment read"][0])
_PRINTING = re.compile(r"print|puts|log|echo|write")
_QUOTED = re.compile(r"[\"']([^\"'\s]{1,200})[\"']")
_MADE = re.compile(r"\bsecrets\.token_|get_random_secret_key\(|\btoken_urlsafe\(|randomBytes\(")


def _ways(stores: list[str]) -> dict[str, list[list[str]]]:
    """Words for making a program print a secret, in this order, by the program."""
    found: dict[str, list[list[str]]] = {}
    for line in stores:
        program, _, ways = line.partition(":" if line.endswith(":") else ": ")
        found.setdefault(program, []).extend(way.split() for way in ways.split("|"))
    return found


_WAYS = _ways(_TABLE["stores"])
# Programs that print a value of any kind: the name that is asked for decides.
_VALUES = {program: way for program, *way in map(str.split, _TABLE["values"])}
_STORED = frozenset("consul etcdctl".split())  # which hold settings of all kinds
_MASKING = frozenset("terraform tofu terragrunt".split())  # of all, `output` masks the sensitive
_LISTINGS = frozenset("export declare typeset".split())
_PASS_SHOWS = frozenset("show cat otp generate".split())
_PASS_OTHER = words(_TABLE["pass other"])
# What a search or a filter prints when it counts, or shows the names before the values alone.
SILENT = re.compile(r"-\w*[cqlL]\w*\Z|--(?:count|quiet|silent|files-with-matches)\Z")
NAMES_ALONE = re.compile(r"-f ?1\Z|-f ?1 |s(.)=\.\*\1")


def printed_by_program(program: str, rest: list[str]) -> int:
    """Degree to which a program prints secrets with these arguments, which have no quotes now."""
    listed = _of_environment(program, rest)
    if listed is not None:
        return listed
    if (
        (program in ("pass", "gopass") and _of_pass(rest))
        or (program in ("kubectl", "oc", "k") and _of_kubectl(rest))
        or (program == "aws" and _of_parameters(rest))
        or (program in _VALUES and _of_value(program, rest))
        or ("config" in rest and _of_setting(rest))
        or any(_in_order(words, rest) for words in _WAYS.get(program, ()))
        or (_INTERPRETERS.match(program) is not None and _of_interpreter(rest))
        or (program in ("curl", "wget") and any(_SERVED.search(word) for word in rest))
        or (program in ("awk", "gawk") and _reads_environment(" ".join(rest)))
        or (program in _QUERIES and _of_query(rest))
        or (program == "git" and _of_git(rest))
        or (program in READERS | _QUERIES and _of_reader(program, rest))
    ):
        return SECRET
    return NOTHING


def _of_environment(program: str, rest: list[str]) -> int | None:
    """`printenv`, `set`, `export -p`, `Get-ChildItem env:`; None where it is no such command."""
    if program == "printenv":
        names = [word for word in rest if word[:1] != "-"]
        if not names:
            return ASSIGNMENTS
        return SECRET if any(is_secret_name(name) for name in names) else NOTHING
    if program == "set":
        return NOTHING if rest else ASSIGNMENTS
    if program in _LISTINGS:
        return ASSIGNMENTS if not rest or rest[0] in ("-p", "-x", "-px") else NOTHING
    if program in ("Get-ChildItem", "gci", "heroku"):
        listing = [word.lower() for word in rest[:1]]
        return ASSIGNMENTS if listing in (["env:"], ["config"]) else None
    return None


def _in_order(wanted: list[str], rest: list[str]) -> bool:
    """Return whether the words stand among the arguments, in order."""
    at = 0
    for word in rest[:32]:
        if at < len(wanted) and word == wanted[at]:
            at += 1
    return at == len(wanted)


def _of_pass(rest: list[str]) -> bool:
    """`pass NAME`, `pass show NAME`."""
    words = [word for word in rest if word[:1] != "-"]
    if not words or words[0] in _PASS_OTHER:
        return False
    return words[0] not in _PASS_SHOWS or len(words) > 1


def _of_kubectl(rest: list[str]) -> bool:
    """`get secret` with the values: any output but a table or names."""
    if "get" not in rest:
        return False
    kinds = rest[rest.index("get") + 1 :]
    if not any(re.match(r"secrets?(?:[/,]|\Z)", word) for word in kinds):
        return False
    shown = " ".join(word for word in kinds if word[:1] == "-" or word in ("name", "wide"))
    if re.search(r"(?:-o|--output)[= ]?(?:name|wide|custom-columns)", shown) is not None:
        return False
    return re.search(r"(?:\A| )(?:-o|--output|--template)", shown) is not None


def _of_parameters(rest: list[str]) -> bool:
    """`aws ssm get-parameter`, decrypted."""
    asked = any(word.startswith("get-parameter") for word in rest)
    return "ssm" in rest and asked and "--with-decryption" in rest


def _of_value(program: str, rest: list[str]) -> bool:
    """`terraform output -raw NAME`, `heroku config:get NAME`: unless the name is an ordinary one."""
    wanted = _VALUES[program]
    if not _in_order(wanted, rest):
        return False
    names = [word for word in rest if word[:1] != "-" and word not in wanted]
    if not names:
        return "-json" in rest or "--show-secrets" in rest
    raw = program not in _MASKING or "-raw" in rest or "-json" in rest
    if program in _STORED:
        return is_secret_name(names[0])
    # A deployment's URL is an address, an application's has its password in it.
    address = program not in _MASKING and segments(names[0])[-1:] in (["url"], ["uri"], ["dsn"])
    return is_secret_name(names[0]) or address or (raw and not is_ordinary(names[0]))


def _of_setting(rest: list[str]) -> bool:
    """`git config --get x.token`, `npm config get //…:_authToken`."""
    if {"get", "--get", "get-value", "--get-all"}.isdisjoint(rest):
        return False
    return is_secret_name(rest[-1].rsplit(".", 1)[-1])


def _of_git(rest: list[str]) -> bool:
    """`git show HEAD:.env`, `git diff .env`."""
    if not rest or rest[0] not in ("show", "diff", "cat-file", "blame") or "--stat" in rest:
        return False
    return any(is_secret_file(word.rpartition(":")[2]) for word in rest[1:] if word[:1] != "-")


def _of_interpreter(rest: list[str]) -> bool:
    """`python -c` and its like: code printing a secret's variable, or making a secret."""
    for at, option in enumerate(rest[:-1]):
        if option in ("-c", "-e", "-p", "-r", "-pe", "-E", "-ne", "eval"):
            code = rest[at + 1]
            told = (
                _reads_environment(code)
                or _MADE.search(code) is not None
                or any(map(is_secret_file, _QUOTED.findall(code)))
            )
            return told and (option == "-p" or _PRINTING.search(code) is not None)
    return False


def _reads_environment(code: str) -> bool:
    """Return whether code reads a variable with a secret name."""
    return any(is_secret_name(found[1]) for found in _ENVIRONMENT_READ.finditer(code))


def _of_query(rest: list[str]) -> bool:
    """`jq -r .password`."""
    pattern = next((word for word in rest if word[:1] != "-"), "")
    asked = _FIELD.search(pattern)
    return asked is not None and is_secret_name(asked[1])


def _of_reader(program: str, rest: list[str]) -> bool:
    """`cat` and its like, of a file for secrets."""
    if program in _SEARCHES and any(SILENT.match(word) for word in rest):
        return False
    if program in ("cut", "sed") and NAMES_ALONE.search(" ".join(rest)) is not None:
        return False
    files = [word for word in rest if word[:1] != "-"]
    if program in _SEARCHES:  # of a whole folder that is called `secrets`, too
        files = [word for word in files if "." in word.rsplit("/", 1)[-1] or "/run/" in word]
    return any(is_secret_file(word) for word in files)
