"""Complaints of a client, as the reason of a failed reading and one line of it.

Clients say why they failed in sentences for people. A reason has a step for a person: wait, log in,
update, look at the network. The line is shown with it, unless anything of the session is in it.
"""

import re
from collections.abc import Mapping
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.reader.exchange import Failed, Reason, Request
from actors.policy.secrets.redaction import redacted

LONGEST: Final = 160  # characters of a line
PIECE: Final = 12  # characters; a line that has one of these in common with the session quotes it
STEP: Final = 4  # characters between two pieces that are looked for: a quarter of the work

# The first that matches. A limit's text may name a login and an address, hence the order.
_SIGNS: Final[Mapping[Reason, tuple[str, ...]]] = {
    Reason.LIMIT: (
        r"\b(?:429|529)\b",
        r"(?:rate|usage|session|weekly|hourly|daily|5-hour|spending).?limit",
        r"limit reached|reached your .{0,20}limit|hit your .{0,20}limit",
        r"too many requests|quota|overloaded|resource.?exhausted",
        r"credit balance|max(?:imum)?.?budget|billing",
    ),
    Reason.LOGGED_OUT: (
        r"not logged in|logged out|/login\b|\blog ?in\b",
        r"invalid.{0,9}api.?key|no.{0,20}api.?key",
        r"api.?key.{0,30}(?:missing|not set|invalid|required)",
        r"(?:gemini|openai|anthropic)_api_key",
        r"authenticat|unauthori[sz]ed|auth method|credentials|\b40[13]\b",
        r"token.{0,20}(?:expired|revoked)",
    ),
    Reason.TOO_OLD: (
        r"unknown (?:option|argument|flag|feature)|unrecogni[sz]ed (?:option|argument)",
        r"unexpected argument|invalid option|no such (?:option|command)",
        r"requires? (?:a )?newer|out ?dated|please (?:update|upgrade)",
    ),
    Reason.OFFLINE: (
        r"enotfound|econnrefused|econnreset|etimedout|eai_again|enetunreach|getaddrinfo|\bdns\b",
        r"connection (?:error|refused|reset|failed)|couldn't connect|error sending request",
        r"(?:unable|failed) to (?:connect|reach|resolve)|(?:cannot|could not) (?:connect|reach|resolve)",
        r"network|fetch failed|request timed out|stream disconnected|\b50[0234]\b",
    ),
}
_PATTERNS: Final = {
    reason: pattern("|".join(signs), re.IGNORECASE) for reason, signs in _SIGNS.items()
}
_CODES: Final = pattern(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")


def failed(reason: Reason, complaint: str, request: Request, tokens: int = 0) -> Failed:
    """A failure for this reason, or for the complaint's own."""
    lines = [line for line in map(plain, complaint.splitlines()) if line]
    for line in lines:
        for better, signs in _PATTERNS.items():
            if signs.search(line):
                return Failed(better, shown(line, request), tokens)
    return Failed(reason, shown(lines[-1], request) if lines else "", tokens)


def shown(line: str, request: Request) -> str:
    """The line as a person may see it; empty where it quotes the session."""
    clean = plain(redacted(line)[0])[:LONGEST]
    folded = clean.casefold()
    said = " ".join(" ".join((request.text, *(note.text for note in request.known))).split())
    session = said.casefold()
    pieces = (folded[at : at + PIECE] for at in range(0, len(folded) - PIECE + 1, STEP))
    return "" if any(piece in session for piece in pieces) else clean


def plain(text: str) -> str:
    """One line, without its codes of colour."""
    return " ".join(_CODES.sub(" ", text).split())
