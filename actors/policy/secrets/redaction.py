"""Secrets taken out of text before anything is stored.

Secrets here: tokens of known kinds, private keys, values of a name of secrecy (`password = …`, in
nine languages and in the syntaxes of code, configuration, SQL, tables, command lines and prose),
credentials in URLs and headers, long random strings, and three kinds of personal data (e-mail and
public network addresses, social security numbers). These stay: hashes, digests, UUIDs, public keys
and certificates, references such as `${TOKEN}`, placeholders, identifiers, names of tests, and
addresses of private networks.

Each way of knowing a secret is one module. `secret_tokens` knows tokens by their issuers (`secret_issuers`) and
long runs by their looks. `named_secrets` finds names (`secret_words`) and their values, given by a sign
(`assigned_secrets`), a blank (`ordered_secrets`), words (`spoken_secrets`) or a column (`tabular_secrets`).
`secret_shapes` needs no name: forms (`secret_patterns`), flags (`flag_secrets`), URLs, calls. `personal_data` is
its own subject. The look of a value is one question for all, answered by `secret_values`, and by `passphrases` for
words. Programs, issuers, forms and words are texts beside their modules, which `secret_tables` reads.

How it stays cheap. Runs are found with `find`, which is ten times faster than a pattern, names and
forms by `literals`, all in one pass. A pattern runs only where one of them was found, and each is
bounded or begins with a fixed character and holds one class, so no text makes it slow.
`tests/policy/secrets/test_redaction.py` holds it.

These modules run on Python 3.8 and import only `re`, `binascii` and the imports of `re` itself:
when the daemon cannot be reached, the hook loads them by file path and redacts its spool.
"""

from __future__ import annotations

from actors.policy.secrets.literals import Literals
from actors.policy.secrets.named_secrets import name_scan, stems_outside_ascii
from actors.policy.secrets.personal_data import personal_scan
from actors.policy.secrets.secret_shapes import LITERALS, shape_scan
from actors.policy.secrets.secret_tokens import run_scan
from actors.policy.secrets.secret_values import LONG, MARKER, is_yours
from actors.policy.secrets.secret_words import STEMS, STEMS_OUTSIDE_ASCII

SHORTEST = 6  # characters: `a@b.co`
MOST_READINGS = 8  # of one text; each but the first reads what the one before has changed

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from actors.policy.secrets.secret_values import Span


def redacted(text: str) -> tuple[str, list[str]]:
    """Return `text` with every secret replaced by `[REDACTED]`, and the kinds found, in order.

    Redacting again changes nothing: a changed text is read until a reading finds nothing.
    """
    kinds: list[str] = []
    if len(text) < SHORTEST:
        return text, kinds
    for _ in range(MOST_READINGS):
        spans = _spans(text)
        if not spans:
            break
        pieces: list[str] = []
        at = 0
        for start, end, kind in _merged(spans):
            pieces.extend((text[at:start], MARKER))
            kinds.append(kind)
            at = end
        pieces.append(text[at:])
        text = "".join(pieces)
    return text, kinds


_LITERALS = Literals((*STEMS, *LITERALS))
_STEMS = frozenset((*STEMS, *STEMS_OUTSIDE_ASCII))


def _spans(text: str) -> list[Span]:
    """Return every secret of `text`; they may overlap."""
    spans: list[Span] = []
    raw = text.encode("ascii", "replace")  # a byte for each character, of which no other is sought
    lower = raw.lower().decode("ascii")
    hits = _LITERALS.hits(lower)
    if not text.isascii():
        hits += stems_outside_ascii(text)
    run_scan(text, raw, spans)
    name_scan(text, [hit for hit in hits if hit[1] in _STEMS], spans)
    shape_scan(text, hits, spans)
    personal_scan(text, raw, spans)
    return [span for span in spans if _is_one(text[span[0] : span[1]], span[2])]


def _is_one(value: str, kind: str) -> bool:
    """Tell whether a span holds a secret: no empty text, no mark of one taken out, no request for one."""
    if value == "" or MARKER in value:
        return False
    return kind == "email" or len(value) > LONG or not is_yours(value)


def _merged(spans: list[Span]) -> list[Span]:
    """Return spans in order, overlapping ones joined under the kind of the first one."""
    spans.sort(key=lambda span: (span[0], -span[1]))
    merged = [spans[0]]
    for start, end, kind in spans[1:]:
        before = merged[-1]
        if start < before[1]:
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, kind))
    return merged
