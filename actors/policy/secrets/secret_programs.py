"""Secrets printed by a program, by its name and its arguments.

The tables name the programs for keeping or making secrets; where a program prints any value on
request (`terraform output`, `printenv`), the requested name decides.

Imports only `re` and runs on Python 3.8: the hook loads it by file path.
"""

from __future__ import annotations

import re

from actors.policy.secrets.secret_names import is_ordinary, is_secret_file, is_secret_name, segments
from actors.policy.secrets.secret_tables import sections

# What a command prints of secrets, from least to most.
NOTHING, ASSIGNMENTS, SECRET = 0, 1, 2

READERS = frozenset(
    "cat less more head tail bat batcat nl tac type strings xxd od hexdump base64 grep egrep rg awk"
    " sed cut sort uniq tr view gc Get-Content column paste fold rev perl diff sdiff comm".split()
)
_SEARCHES = frozenset("grep egrep fgrep rg".split())
_QUERIES = frozenset("jq yq dasel gojq jaq".split())
_FIELD = re.compile(r"\.\"?([A-Za-z_][\w\-]*)\"?[\])\s?]*\Z")
# Where a machine, or a vault, hands out secrets over HTTP.
_SERVED = re.compile(
    r"169\.254\.169\.254.{0,120}(?:credentials|token)|/v1/secret/data/|\.internal/.{0,120}/token"
)
_INTERPRETERS = re.compile(r"(?:python[\d.]*|node|nodejs|ruby|perl|php|deno|bun|pwsh|lua)\Z")
_ENVIRONMENT_READ = re.compile(
    r"(?:environ(?:\.get)?|ENVIRON|getenv|env(?:\.get|\.fetch)?|ENV(?:\.fetch)?|Environment\S{0,24})"
    r"\s{0,4}[\[({.]\s{0,4}[\"']?([A-Za-z_]\w*)"
)
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


_WAYS = _ways(sections("secret_programs")["stores"])
# Programs that print a value of any kind: the name that is asked for decides.
_VALUES = {
    "terraform": ["output"],
    "tofu": ["output"],
    "terragrunt": ["output"],
    "pulumi": ["stack", "output"],
    "heroku": ["config:get"],
    "doppler": ["secrets", "get"],
    "consul": ["kv", "get"],
    "etcdctl": ["get"],
}
_STORED = frozenset("consul etcdctl".split())  # which hold settings of all kinds
_MASKING = frozenset("terraform tofu terragrunt".split())  # of all, `output` masks the sensitive
_LISTINGS = frozenset("export declare typeset".split())
_PASS_SHOWS = frozenset("show cat otp generate".split())
_PASS_OTHER = frozenset(
    "ls list git insert add init rm remove delete mv rename cp copy find search grep edit version"
    " help sync mounts audit fsck recipients setup fscopy".split()
)
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
            files = [found[1] for found in _QUOTED.finditer(code)]
            told = (
                _reads_environment(code)
                or _MADE.search(code) is not None
                or any(is_secret_file(path) for path in files)
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
