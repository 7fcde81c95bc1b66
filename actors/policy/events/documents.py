"""Sentences from a project's own documents and configuration: one or two of each.

An agent that reads a decision record or a `package.json` learns something that the next session
should not have to look up. Only files of known names are read, and only what they say plainly.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.events.events import mapping
from actors.policy.text.wording import listed, one_line, sentence, sentences

PARAGRAPH: Final = 320  # characters taken of a document
SCRIPTS: Final = ("test", "build", "dev", "start", "lint", "typecheck", "format", "migrate")
TARGETS: Final = ("test", "build", "lint", "check", "run", "dev", "install", "setup", "deploy")

_SPECIFICATION: Final = re.compile(
    r"(?:^|/)(?:spec|plan|requirements|decision-record|architecture|design|contributing|claude"
    r"|agents)\.md$|(?:^|/)(?:adrs?|decisions|rfcs?)/[^/]+\.md$",
    re.IGNORECASE,
)
_RECORD: Final = re.compile(r"decision-record\.md$|(?:^|/)(?:adrs?|decisions)/", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^[ \t]*\d+[\t→]", re.MULTILINE)
_TITLE: Final = re.compile(r"^# +(\S.*)$", re.MULTILINE)
_DECISION: Final = re.compile(
    r"^#{1,4}\s+(?:decision(?: outcome)?|resolution|outcome)\b.*?$(.*?)(?=^#|\Z)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_TARGET: Final = re.compile(r"^([A-Za-z][\w-]*):(?!=)[^\n]*\n\t@?([^\n]+)", re.MULTILINE)
_PORTS: Final = re.compile(
    r"^  ([\w-]+):[ \t]*\n(?:    .*\n)*?    ports:[ \t]*\n((?:[ \t]+- .*\n?)+)", re.MULTILINE
)
_PORT: Final = re.compile(r"-\s*[\"']?([\d.:]*\d:\d+)[\"']?")
_PYTHON: Final = re.compile(r"^requires-python\s*=\s*[\"']([^\"']+)", re.MULTILINE)
_VERSION_FILES: Final[Mapping[str, str]] = {
    ".nvmrc": "Node",
    ".node-version": "Node",
    ".python-version": "Python",
    ".ruby-version": "Ruby",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """Sentence from a document, ready to be remembered."""

    rule: str  # spec-document or configuration
    text: str
    kind: str


def reading(path: str, content: str) -> Reading | None:
    """Reading of the file at ``path`` (as shown to a reader) that is worth keeping, or None."""
    plain = _NUMBERED.sub("", content)
    if _SPECIFICATION.search(path):
        return _specification(path, plain)
    said = _configuration(path.rpartition("/")[2], plain)
    return Reading("configuration", f"In {path}, {said}.", "fact") if said else None


def _specification(path: str, content: str) -> Reading | None:
    title = _TITLE.search(content)
    if title is None:
        return None
    decided = _DECISION.search(content)
    body = decided[1] if decided else content[title.end() :]
    first = one_line(" ".join(sentences(body)[:3]), PARAGRAPH)
    if not first:
        return None
    kind = "decision" if decided and _RECORD.search(path) else "insight"
    says = "decides" if kind == "decision" else "says"
    return Reading(
        "spec-document", f"{path} “{title[1].rstrip(' #')}” {says}: {sentence(first)}", kind
    )


def _configuration(name: str, content: str) -> str:
    if name == "package.json":
        return _scripts(content)
    if name in ("Makefile", "makefile", "GNUmakefile"):
        return _targets(content)
    if re.fullmatch(r"(?:docker-)?compose[\w.-]*\.ya?ml", name):
        return _ports(content)
    if name == "pyproject.toml":
        required = _PYTHON.search(content)
        return f"the required Python is `{required[1]}`" if required else ""
    language = _VERSION_FILES.get(name)
    version = content.strip()
    return f"{language} is pinned to {version}" if language and len(version.split()) == 1 else ""


def _scripts(content: str) -> str:
    try:
        package = mapping(json.loads(content))
    except ValueError:
        return ""  # a part of the file
    scripts = mapping(package.get("scripts"))
    known = {name: scripts.get(name) for name in SCRIPTS}
    lines = [
        f"`{name}` runs `{one_line(line, 60)}`"
        for name, line in known.items()
        if isinstance(line, str)
    ]
    manager = package.get("packageManager")
    if isinstance(manager, str):
        lines.append(f"the package manager is {manager.partition('+')[0]}")
    return listed(lines[:6])


def _targets(content: str) -> str:
    found = dict(_TARGET.findall(content))
    return listed(
        f"`make {name}` runs `{one_line(found[name], 60)}`" for name in TARGETS if name in found
    )


def _ports(content: str) -> str:
    lines = [
        f"{service} listens on {listed(ports)}"
        for service, block in _PORTS.findall(content)
        if (ports := _PORT.findall(block))
    ]
    return f"by host and container port, {listed(lines[:6])}" if lines else ""
