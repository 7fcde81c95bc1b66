"""Secrets taken out of text before anything is stored (row F12).

What is a secret here: provider tokens (published prefixes), private keys, credentials in URLs,
headers, command lines and assignments, long random strings, and three kinds of personal data
(e-mail and network addresses, social security numbers). What stays: git hashes, digests, UUIDs,
references such as `${TOKEN}`, placeholders, identifiers, and the addresses that are the same on
every machine (127.0.0.1, 0.0.0.0, ::1).

How it stays cheap. Three linear scans find where something may begin: `_hint_scan` (one trie of
every known prefix), `_word_scan` (the words that name a credential) and `_run_scan` (long unbroken
runs). A rule runs only at the places its own hint was found, and every rule is a fixed prefix and
one character class, so that no text makes it slow. `tests/policy/events/test_redaction.py` holds both.

This module imports only `re` and runs on Python 3.8: when the daemon cannot be reached, the hook
loads it by file path and redacts what it spools.
"""

from __future__ import annotations

import re

MARKER = "[REDACTED]"
SHORTEST = 6  # characters: `a@b.co`

_TOKEN = r"[A-Za-z0-9]"
_WIDE = r"[A-Za-z0-9_\-]"
_HEX = r"[0-9A-Fa-f]"

# Published token formats: kind, the prefixes that hint at it, what follows the prefix. The lengths
# are minima: a longer token is a token. A pattern is one prefix and one class, without a second
# part that could fail late, so that a hint costs at most its own match.
_PREFIXED = (
    ("openai-like", "sk-", r"[A-Za-z0-9_\-]{20,}"),
    ("intra42", "s-s4t2ud- s-s4t2af-", _HEX + r"{64,}"),
    ("stripe", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_", _TOKEN + r"{10,}"),
    ("github", "ghp_ gho_ ghu_ ghs_ ghr_", _TOKEN + r"{30,}"),
    ("github", "github_pat_", r"\w{40,}"),
    ("gitlab", "glpat- gldt- glft- glsoat- glrt- glffct- glcbt- glrtr- glwt-", r"[\w.\-]{20,}"),
    ("gitlab", "glimt-", _WIDE + r"{25,}"),
    ("gitlab", "glptt-", _WIDE + r"{40}(?![\w\-])"),
    ("gitlab", "glagent-", _WIDE + r"{50,}"),
    ("gitlab", "gloas-", _WIDE + r"{64,}"),
    ("gitlab", "GR1348941", r"[\w\-]{20,}"),
    ("gitlab", "_gitlab_session=", r"[0-9a-z]{32,}"),
    ("slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp-",
     r"[A-Za-z0-9\-%]{8,}"),
    ("slack", "xapp-", r"[A-Za-z0-9\-]{20,}"),
    ("webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/",
     r"[A-Za-z0-9+/_\-]{20,}"),
    ("webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", r"[\w/\-]{30,}"),
    ("webhook", "webhook.office.com/webhookb2/", r"[\w@/\-]{60,}"),
    ("aws", "AKIA ASIA ABIA ACCA A3T AROA AIDA", r"[A-Z0-9]{16,17}(?![A-Za-z0-9])"),
    ("aws", "ABSK", r"[A-Za-z0-9+/=]{100,}"),
    ("aws", "bedrock-api-key-", r"[A-Za-z0-9+/=]{20,}"),
    ("google", "AIza", r"[\w\-]{30,}"),
    ("google", "ya29.", r"[\w.\-]{20,}"),
    ("google", "GOCSPX-", r"[\w\-]{20,}"),
    ("google", "1//0", r"[\w\-]{40,}"),
    ("npm", "npm_", _TOKEN + r"{30,}"),
    ("pypi", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", r"[\w\-]{20,}"),
    ("rubygems", "rubygems_", _HEX + r"{40,}"),
    ("clojars", "CLOJARS_", r"[A-Za-z0-9]{50,}"),
    ("nuget", "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("docker", "dckr_pat_ dckr_oat_", r"[\w\-]{20,}"),
    ("sendgrid", "SG.", r"(?!\w{1,30}\.\.)[\w\-=.]{50,}"),
    ("sendinblue", "xkeysib- xsmtpsib-", r"[A-Za-z0-9\-]{60,}"),
    ("huggingface", "hf_ api_org_", r"[A-Za-z]{34,40}(?![A-Za-z0-9_])"),
    ("huggingface", "hf_ api_org_", r"(?=[A-Za-z]{0,33}[0-9])[A-Za-z0-9]{34,}"),
    ("anyscale", "esecret_", _TOKEN + r"{20,}"),
    ("replicate", "r8_", _TOKEN + r"{37,}"),
    ("groq", "gsk_", _TOKEN + r"{40,}"),
    ("xai", "xai-", _TOKEN + r"{60,}"),
    ("nvidia", "nvapi-", r"[\w\-]{40,}"),
    ("perplexity", "pplx-", _TOKEN + r"{40,}"),
    ("digitalocean", "dop_v1_ doo_v1_ dor_v1_ dot_v1_", _HEX + r"{40,}"),
    ("doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9_.\-]{38,}"),
    ("dynatrace", "dt0c01. dt0s01. dt0s16.", r"[A-Za-z0-9.]{60,}"),
    ("databricks", "dapi", r"[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("duffel", "duffel_test_ duffel_live_", r"[\w\-=]{40,}"),
    ("easypost", "EZAK EZTK", r"[A-Za-z0-9]{50,}"),
    ("facebook", "EAAM EAAC EAAB EAAG", r"[A-Za-z0-9]{80,}"),
    ("square", "EAAA sq0atp- sq0csp- sq0idp-", r"(?=[A-Za-z\-_]{0,40}[0-9])[\w\-]{22,}"),
    ("flutterwave", "FLWSECK_TEST- FLWSECK- FLWPUBK_TEST-", r"[A-Za-z0-9\-]{12,}"),
    ("flyio", "fo1_", r"(?=[A-Za-z_\-]{0,40}[0-9])[\w\-]{43,}"),
    ("flyio", "fm1r_ fm1a_ fm2_", r"[A-Za-z0-9+/=,_]{60,}"),
    ("frameio", "fio-u-", r"[\w\-=]{60,}"),
    ("grafana", "glc_", r"(?=[A-Za-z]{0,31}[0-9+/])[A-Za-z0-9+/=]{32,}"),
    ("grafana", "glsa_", r"[A-Za-z0-9_]{40,}"),
    ("harness", "pat. sat.", r"[\w\-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("vault", "hvs. hvb. hvr.", r"[\w\-]{24,}"),
    ("vault", "s.", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    ("heroku", "HRKU-", r"[\w\-]{36,}"),
    ("infracost", "ico-", r"[A-Za-z0-9]{32}(?![A-Za-z0-9.])"),
    ("linear", "lin_api_ lin_oauth_", _TOKEN + r"{36,}"),
    ("mailgun", "key- pubkey-", r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("mapbox", "pk. sk. tk.", r"[A-Za-z0-9]{50,100}\.[A-Za-z0-9\-_]{20,}"),
    ("newrelic", "NRAK- NRII- NRJS- NRRA-", r"[A-Za-z0-9\-]{19,}"),
    ("notion", "ntn_", _TOKEN + r"{40,}"),
    ("notion", "secret_", r"(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("octopus", "API-", r"(?=[A-Z]{0,25}[0-9])[A-Z0-9]{24,}(?![A-Za-z0-9])"),
    ("openshift", "sha256~", r"[\w\-]{43}"),
    ("plaid", "access-sandbox- access-development- access-production-", r"[0-9a-f\-]{36}"),
    ("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_", r"[\w=.\-]{30,}"),
    ("postman", "PMAK-", r"[A-Fa-f0-9\-]{50,}"),
    ("prefect", "pnu_ pnb_", _TOKEN + r"{36,}"),
    ("pulumi", "pul-", r"[a-f0-9]{40,}"),
    ("readme", "rdme_", r"[A-Za-z0-9]{60,}"),
    ("scalingo", "tk-us-", r"[\w\-]{40,}"),
    ("sentry", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_]{60,}"),
    ("settlemint", "sm_aat_ sm_pat_ sm_sat_", _TOKEN + r"{16,}"),
    ("shippo", "shippo_live_ shippo_test_", _HEX + r"{36,}"),
    ("shopify", "shpat_ shpca_ shppa_ shpss_", _HEX + r"{32,}"),
    ("sonar", "squ_ sqp_ sqa_", r"[A-Za-z0-9]{40,}"),
    ("sourcegraph", "sgp_", r"(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}(?![A-Za-z0-9])"),
    ("squarespace", "sqsp_", _TOKEN + r"{30,}"),
    ("supabase", "sbp_ sb_secret_", r"[\w\-]{30,}"),
    ("twilio", "SK AC", r"[0-9a-fA-F]{32}(?![A-Za-z0-9])"),
    ("typeform", "tfp_", r"[\w\-.=]{40,}"),
    ("yandex", "AQVN", r"[\w\-]{35,}"),
    ("yandex", "YC", r"(?=[A-Za-z_\-]{0,37}[0-9])[\w\-]{38}(?![\w\-])"),
    ("yandex", "t1.", r"[\w\-=.]{80,}"),
    ("1password", "A3-", r"[A-Z0-9]{6}-[A-Z0-9\-]{21,}"),
    ("1password", "ops_eyJ", r"[A-Za-z0-9+/=_\-]{60,}"),
    ("adobe", "p8e-", _TOKEN + r"{32,}"),
    ("age", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}"),
    ("alibaba", "LTAI", r"[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    ("artifactory", "AKC", r"(?=[A-Za-z]{0,20}[0-9]|([a-z])\1{6})[A-Za-z0-9]{10,}"),
    ("artifactory", "AP0 AP1 AP2 AP3 AP4 AP5 AP6 AP7 AP8 AP9 APA APB APC APD APE APF",
     r"(?=[A-Za-z]{0,20}[0-9]|([a-z])\1{6})[A-Za-z0-9]{10,}"),
    ("artifactory", "cmVmd", _TOKEN + r"{55,}"),
    ("atlassian", "ATATT3 ATCTT3 ATSTT3", r"[\w\-=]{60,}"),
    ("atlassian", "ATBB ATOA", r"[A-Za-z0-9]{28,}(?![a-z])"),
    ("authress", "sc_ ext_ scauth_ authress_",
     r"[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_\-][A-Za-z0-9\-]{10,32}\.[A-Za-z0-9+/_=\-]{30,}"),
    ("clickhouse", "4b1d", _TOKEN + r"{38}(?![A-Za-z0-9])"),
    ("cloudflare", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{100,}"),
    ("defined", "dnkey-", r"[\w\-=]{60,}"),
    ("tailscale", "tskey-", r"[A-Za-z0-9\-]{20,}"),
    ("vercel", "vcp_ vci_ vca_ vcr_ vck_", _TOKEN + r"{24,}"),
    ("jwt", "ZXlK", r"[A-Za-z0-9+/=]{40,}"),
    ("jwt", "eyJ", r""),  # two runs and a dot: `_json_web_token`
)  # fmt: skip


def redacted(text: str) -> tuple[str, list[str]]:
    """`text` with every secret replaced by `[REDACTED]`, and the kinds found, in order.

    Redacting again changes nothing: a changed text is read until a reading finds nothing. Each
    reading takes characters away, so it ends.
    """
    kinds: list[str] = []
    if len(text) < SHORTEST:
        return text, kinds
    while True:
        spans = _spans(text)
        if not spans:
            return text, kinds
        pieces: list[str] = []
        at = 0
        for start, end, kind in _merged(spans):
            pieces.append(text[at:start])
            pieces.append(MARKER)
            kinds.append(kind)
            at = end
        pieces.append(text[at:])
        text = "".join(pieces)


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Every secret as (start, end, kind); they may overlap."""
    spans: list[tuple[int, int, str]] = []
    _hint_scan(text, spans)
    _word_scan(text, spans)
    _run_scan(text, spans)
    _structure_scan(text, spans)
    return spans


def _merged(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Spans in order, overlapping ones joined under the kind of the one that begins first."""
    spans.sort(key=lambda span: (span[0], -span[1]))
    merged = [spans[0]]
    for start, end, kind in spans[1:]:
        before = merged[-1]
        if start < before[1]:
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, kind))
    return merged


_COMPILED: dict[str, re.Pattern[str]] = {}


def _re(pattern: str) -> re.Pattern[str]:
    """`pattern`, compiled when first met: most texts need few, and a hook pays for each."""
    compiled = _COMPILED.get(pattern)
    if compiled is None:
        compiled = _COMPILED[pattern] = re.compile(pattern)
    return compiled


# -- prefixes ---------------------------------------------------------------------------------


def _trie(words: list[str]) -> str:
    """One regular expression for the shortest of `words` that begins here.

    A flat alternation tries each word at each place (106 µs per KB for a hundred words); the trie
    branches on one character at a time (26 µs).
    """
    words = sorted(words)
    parts: list[str] = []
    while words:
        first = words[0][:1]
        if not first:  # a word ends here: the shortest wins
            return ""
        below = [word[1:] for word in words if word.startswith(first)]
        parts.append(re.escape(first) + _trie(below))
        words = words[len(below) :]
    return parts[0] if len(parts) == 1 else "(?:" + "|".join(parts) + ")"


def _rules_by_hint() -> dict[str, list[tuple[str, str]]]:
    """For each hint the trie can return, the kinds and patterns to try where it was found."""
    rules = [(kind, prefixes.split(), body) for kind, prefixes, body in _PREFIXED]
    every = sorted({prefix for _, prefixes, _ in rules for prefix in prefixes})
    hints: list[str] = []
    for prefix in every:  # sorted: what a prefix begins with comes before it
        if not (hints and prefix.startswith(hints[-1])):
            hints.append(prefix)
    by_hint: dict[str, list[tuple[str, str]]] = {hint: [] for hint in hints}
    for kind, prefixes, body in rules:
        pattern = "(?:" + "|".join(map(re.escape, prefixes)) + ")(?:" + body + ")"
        for hint in {next(h for h in hints if prefix.startswith(h)) for prefix in prefixes}:
            by_hint[hint].append((kind, pattern))
    return by_hint


_RULES = _rules_by_hint()
_TRIE = _trie(list(_RULES))
# A token begins where no letter or digit stands before it. Taking that character along, instead of
# looking back at it, lets the engine leap over words.
_HINT = re.compile("[^A-Za-z0-9](" + _TRIE + ")")
_FIRST_HINT = "(" + _TRIE + ")"
# In text inside JSON or a URL the escape before a token ends in a letter or digit: `\\n`, `%3D`.
_ESCAPED_HINT = r"(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9a-f]{4})(" + _TRIE + ")"


def _hint_scan(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Tokens with a published prefix."""
    first = _re(_FIRST_HINT).match(text)
    at = 0 if first is None else max(0, _token_at(text, 0, first.group(), spans) - 1)
    search = _HINT.search
    found = search(text, at)
    while found is not None:
        # One back: the last character of what was read may stand before the next token.
        at = _token_at(text, found.start(1), found.group(1), spans) - 1
        found = search(text, at)
    if "\\" in text or "%" in text:
        at = 0
        found = _re(_ESCAPED_HINT).search(text)
        while found is not None:
            at = _token_at(text, found.start(1), found.group(1), spans)
            found = _re(_ESCAPED_HINT).search(text, at)


def _token_at(text: str, start: int, hint: str, spans: list[tuple[int, int, str]]) -> int:
    """Try the rules of one hint; where to go on searching."""
    if hint == "eyJ":
        return _json_web_token(text, start, spans)
    for kind, pattern in _RULES[hint]:
        match = _re(pattern).match(text, start)
        if match is not None:
            # A masked token (`sk-xxxx…`) is passed over whole: four characters hold no other.
            if kind == "artifactory":
                if start == 0 or text[start - 1] in " \t\r\n\"'=:":
                    spans.append((start, match.end(), kind))
            elif not _is_masked(match.group()[len(hint) :]):
                spans.append((start, match.end(), kind))
            return match.end()
    return start + len(hint)


def _is_masked(body: str) -> bool:
    different = set(body)
    return len(different) <= 4 and not different.isdisjoint("xX01*#.")


def _json_web_token(text: str, start: int, spans: list[tuple[int, int, str]]) -> int:
    """Header, dot, payload. The header's run is read once, so that a run of `eyJ` stays linear."""
    run = _re(r"[\w\-]*").match(text, start)
    end = start + 3 if run is None else run.end()
    rest = _re(r"\.[\w\-]{8,}(?:\.[\w\-+/=]*){0,3}").match(text, end)
    if rest is not None and end - start >= 10:
        spans.append((start, rest.end(), "jwt"))
        return rest.end()
    if end - start >= 70 and _wordiness(text[start:end]) < 0.35:  # as Grafana's older keys
        spans.append((start, end, "encoded-json"))
    return end


# -- assignments ------------------------------------------------------------------------------

# Words that name a credential, in lower-cased text. What stands around the word decides.
_WORD = re.compile(
    r"pass(?:w(?:or)?d|phrase|code)?|pwd|secret|token|cred(?:ential|s)|auth(?:orization)?|key"
    r"|bearer|basic|contribsys__com"
)
# One of these is in each of those words: a look for them all takes a sixth of that search.
_WORD_STEMS = (
    "key", "token", "pass", "auth", "secret", "pwd", "cred", "bearer", "basic", "contribsys__com",
)  # fmt: skip
_PASS_WORDS = frozenset(("password", "passwd", "passphrase", "passcode", "pwd", "pass"))
# What stands before `key` or `token` when its value is public or only names something.
_PUBLIC = (
    " public pub publishable primary foreign partition sort sorting cache bucket schema sequence "
    "index idempotency csrf xsrf authenticity page next prev cursor continuation translation "
    "message dict lookup group row object routing issue project metric hot host shortcut unique "
    "lock redis map natural surrogate config fingerprint cancellation issuer keyboard sample "
    "blind query integrity web haystack "
)
# What stands after the word when the identifier names something about a credential.
_NAMES_ONLY = (
    r"(?i)s?[_\-.]?(?:ids?|names?|type|kind|ur[li]|path|file\w*|dir|len|length|size|count|hash|sum"
    r"|fields?|col|column|label|title|expir\w*|ttl|version|alg\w*|format|prefix|suffix|pattern"
    r"|regex|limit|usage|manager|provider|source|store\w*|location|endpoint|chars|str|set|selector"
    r"|pair|vault\w*|var|variable|env|index|map|mapping|func|function|handler|class|service|header"
    r"|params?|policy|rules?|required|enabled|valid|reset|changed|event|down|up|press\w*|codes?"
    r"|frame\w*|spec|schema|bits|bytes)(?![a-z])"
)
# `apikey`, `secretkey`, written as one word; other letters make another word, such as `monkey`.
_KEY_JOINED = (
    "api", "access", "secret", "private", "auth", "account", "master", "license", "licence",
    "encryption", "signing", "shared", "service", "client", "app", "deploy", "user", "admin",
    "session", "server", "rsa", "ssh", "aes", "hmac", "jwt", "root",
)  # fmt: skip
_GIVES = (
    r"(?P<shut>[ \t\\\"'`\])}]{0,6})"
    r"(?:(?P<op>=>|%3[Dd]|:{1,3}=|\|\||\?=|={1,3}|:|>|,)"
    r"|(?P<pair>[;,]?\s{0,24}[\\\"']{0,4}value[\\\"']{0,4}\s{0,4}[:=])"
    r"|(?P<prose>(?:(?:for|of|on|to|in|at) (?:(?:the|our|my) )?[\w.\-]{1,24}(?: [\w.\-]{1,24})? )?"
    r"(?:is|was|to|of|are) (?:now |set to )?)"
    r"|(?P<flag>FLAG))"
    r"(?P<gap>[ \t]{0,8}(?:[|>][+\-]?[ \t]{0,4}\r?\n[ \t]{1,24})?)"
    r"(?P<quote>\\{0,3}[\"'`])?"
)
_OPERATOR = re.compile(_GIVES.replace("FLAG", "(?!)"))
# A blank is an operator only where a text has flags (`--password x`) or a netrc file (`login`).
_OPERATOR_OR_BLANK = _GIVES.replace("FLAG", "(?<=[A-Za-z0-9] )")
_SCHEME = r"(?i)(?:Basic|Bearer|Token|Api-?Key|Digest|Key|Splunk|GoogleLogin)[ =]+"
_IDENTIFIER = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
_DASHED = _IDENTIFIER + "-"

_REFERENCE = (
    r"\$[({]|\$[A-Za-z_][A-Za-z0-9_.:]*\Z|\{[\{%A-Za-z_.]|<[^>]*>?\Z|%\(|%[A-Za-z_]*%?\Z"
    r"|@[A-Za-z_]+@\Z|\(|op://|file:|vault:|ssm:|arn:|env:|ENC\[|!vault|\*+\Z|\.+\Z|#\{|\["
    r"|os\.|process\.|import\.|self\.|this\.|config\.|settings\.|env\.|secrets\.|var\."
    r"|https?:|--|/(?:run|etc|home|opt|tmp|usr|var|bin|path)/"
)
_PLACEHOLDER = (
    r"(?i)your[_\- ]|your[a-z]{0,8}(?:key|token|secret|password)|example|change_?-?me|placeholder"
    r"|dummy|redacted|insert|[_\- ]here\b|replace|xxxxx|not[_\-]?a[_\-]?(?:real|secret|password)"
    r"|\A(?:fake|test|my|the|some|a|an|any|new|old|user|admin|root|default|foo|bar|baz|string|str"
    r"|int|bool|bytes|none|null|nil|true|false|undefined|empty|required|optional|secret|password"
    r"|passwd|pass|pwd|token|key|value|text|hidden|masked|unset|no|yes|on|off|auto|invalid|missing"
    r"|incorrect|wrong|expired|valid|is|not|and|or|username|email|api|input|field|prompt|self)"
    r"(?:[_\- .]?(?:key|token|secret|password|passwd|pass|api|value|string|here|field|input)){0,3}"
    r"[\]\[(){}.,;:!?]{0,4}\Z"
)
_CODE = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,9}(?:[\[(]|\Z)|[\w.]{0,80}\(|\w{1,80}(?:::|->)\w"
_CALL = r"[A-Za-z_][\w.]{0,80}[\[(]|[a-z_]{1,40}(?:\.[a-z_]{1,40}){1,8}[,;)\]]{0,3}\Z"
_LONG = 80  # characters of a value that are judged; a longer one is told by its beginning


def _word_scan(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Values given to what is called a password, token, secret or key."""
    # U+0130 alone changes length when lower-cased; positions must be those of `text`.
    lower = text.replace("\u0130", "i").lower()
    for stem in _WORD_STEMS:
        if stem in lower:
            break
    else:
        return
    search = _WORD.search
    blank = " -" in text or "--" in text or "ENV " in text or "setx " in text or "login " in text
    operator = _re(_OPERATOR_OR_BLANK) if blank else _OPERATOR
    found = search(lower)
    while found is not None:
        start, end = found.span()
        word = found.group()
        if word == "bearer" or word == "basic":
            end = _presented(text, end, word, spans)
        elif not (text[end : end + 1].isalpha() and _goes_on(text, end)):
            end = _assigned(text, operator, start, end, word, spans)
        found = search(lower, end)


def _goes_on(text: str, end: int) -> bool:
    """Whether letters follow that make another word: `keyboard`, `author`, `TOKENIZER`."""
    after = text[end : end + 2]
    if after[0] in "sS" and not after[1:].isalpha():
        return False
    return after[0].islower() or text[end - 1].isupper()


def _presented(text: str, end: int, word: str, spans: list[tuple[int, int, str]]) -> int:
    """`Bearer …` and `Basic …`, wherever they stand."""
    match = _re(r"[ \t]{1,4}([A-Za-z0-9_.\-~+/]{12,}=*)").match(text, end)
    if match is None:
        return end
    if _is_random(match.group(1)[:_LONG], 12):
        spans.append((match.start(1), match.end(1), word))
    return match.end(1)


def _assigned(
    text: str,
    operator: re.Pattern[str],
    start: int,
    end: int,
    word: str,
    spans: list[tuple[int, int, str]],
) -> int:
    """Judge what is given to an identifier with `word` in it; where to go on searching."""
    reach = text[end : end + 40]
    tail = reach[: len(reach) - len(reach.lstrip(_DASHED))]
    after = operator.match(text, end + len(tail))
    if after is None:
        return end
    at = after.end()
    quote = after.group("quote")
    if quote is None and (after.group("op") == "," or text[at : at + 1] in "<[("):
        return end
    if word in ("auth", "authorization"):
        scheme = _re(_SCHEME).match(text, at)
        at = at if scheme is None else scheme.end()
    probe = _value_pattern(quote).match(text, at)
    if probe is None or probe.end() - at < (4 if word in _PASS_WORDS else 8):
        return end
    before = text[max(0, start - 48) : start]
    if not _is_given(after, text, start, word, before):
        return end
    if not _names_a_credential(text, start, word, before, tail):
        return end
    value = probe.group()
    quoted = quote is not None
    alone = False
    prose = after.group("prose") is not None
    if prose:
        value = value.rstrip(".,;:!?)]}")
    elif not quoted and after.group("flag") is None:
        alone = _stands_on_a_line(before)
        if not alone:
            value = _re(r"[\\,;&<>]").split(value, 1)[0]
        value = value.rstrip(")]},;")
    if _is_secret(value[:_LONG], word, before, quoted, alone, prose):
        stop = at + len(value)
        if len(value) >= 300:  # the probe was cut: the rest of the run goes too
            rest = _re(r"[^\s\"'`\\]*").match(text, stop)
            stop = stop if rest is None else rest.end()
        spans.append((at, stop, word))
        return max(end, stop)
    if len(value) > _LONG and len(set(value)) < 20:
        return at + len(value)  # the same few characters over and over: nothing is hidden there
    return end


def _is_given(after: re.Match[str], text: str, start: int, word: str, before: str) -> bool:
    """Whether the operator gives a value to the word before it, as far as it alone can tell."""
    operator = after.group("op")
    if operator == ",":
        return after.group("shut").strip(" \t") != ""
    if operator == ":":
        return not text.startswith(":", after.end("op"))
    if operator is not None or after.group("pair") or after.group("prose"):
        return True
    stem = before.rstrip(_DASHED)
    if before[len(stem) :].startswith("-") or stem.endswith(("ENV ", "setx ")):
        return True  # `--password x`, `ENV TOKEN x`
    # A netrc file: `machine m login l password p`.
    return word == "password" and "login " in text[max(0, start - 160) : start]


def _stands_on_a_line(before: str) -> bool:
    """Whether `key = value` is a line of its own, so that the value goes up to the next blank."""
    stem = before.rstrip(_IDENTIFIER).rstrip(" \t+-")
    for order in ("export", "set", "ENV"):
        if stem.endswith(order):
            stem = stem[: -len(order)].rstrip(" \t+-")
    return not stem or stem.endswith(("\n", "\r", "\\n"))


def _value_pattern(quote: str | None) -> re.Pattern[str]:
    if quote is None:
        return _re(r"[^\s\"'`]{1,300}")
    if len(quote) > 1:  # an escaped quote: the text is inside a string of JSON
        return _re(r"[^\\\"'`\r\n]{1,300}")
    return _QUOTED[quote]


_QUOTED = {mark: re.compile(r"(?:[^" + mark + r"\\\r\n]|\\.){1,300}") for mark in "\"'`"}


def _is_public(before: str) -> bool:
    """Whether the last word of an identifier says so: `sort` of `tableSort`, `csrf` of `CSRF_`."""
    stem = before[-24:].rstrip("_-. ")
    head = stem.rstrip("abcdefghijklmnopqrstuvwxyz")
    if len(head) == len(stem):
        head = stem.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    elif head and head[-1].isupper():
        head = head[:-1]
    part = stem[len(head) :].lower()
    return part != "" and f" {part} " in _PUBLIC


def _names_a_credential(text: str, start: int, word: str, before: str, tail: str) -> bool:
    """Whether the identifier around `word` names a credential and not something about one."""
    if tail and _re(_NAMES_ONLY).match(tail) is not None:
        return False
    joined = before[-1:].isalpha() and not (text[start].isupper() and before[-1:].islower())
    if word == "key":
        if joined and not before[-12:].lower().endswith(_KEY_JOINED):
            return False
        return not _is_public(before)
    if word == "token":
        return not _is_public(before)
    if word in ("pass", "auth", "creds", "pwd"):
        return not joined or (word == "auth" and before[-1:] in "oO")
    return True


def _is_secret(value: str, word: str, before: str, quoted: bool, alone: bool, prose: bool) -> bool:
    """Whether a value given to a credential is one, and not a reference, a placeholder or code."""
    size = len(value)
    if size < (4 if word in _PASS_WORDS else 8):
        return False
    if size < 14 and not quoted and not alone and value.isalpha() and value.islower():
        return False
    if len(set(value)) <= 2 or "${" in value or MARKER in value:
        return False
    if _re(_REFERENCE).match(value) is not None or _re(_PLACEHOLDER).search(value) is not None:
        return False
    if " " in value or "\t" in value:
        return word == "passphrase" and quoted and size >= 12
    if word in _PASS_WORDS:
        return _passes_for_a_password(value, quoted, alone, prose)
    if _is_set_in_environment(value, word, before, alone):
        return True
    if word == "key":
        strong = before[-12:].rstrip("_-. ").lower().endswith(_KEY_JOINED)
        return _is_random(value, 10 if strong else 13) and "abcdefghijklm" not in value.lower()
    if not quoted and _re(_CODE).match(value) is not None and not _is_random(value, 14):
        return False
    return _is_random(value, 8 if word == "secret" else 10)


def _is_set_in_environment(value: str, word: str, before: str, alone: bool) -> bool:
    """`API_TOKEN=abcd1234efgh` alone on its line: nobody gives a constant such a name and value.

    Letters and digits, twelve or more, in a name of capitals; a `secret` in any name.
    """
    if not alone or len(value) < 12 or value.isdigit() or _re(r"\d").search(value) is None:
        return False
    if (
        _re(r"[A-Za-z]").search(value) is None
        or _re(r"[A-Za-z0-9_.\-]{12,}\Z").match(value) is None
    ):
        return False
    name = before[-40:].rsplit(None, 1)[-1] if before[-1:].strip() else ""
    return (
        word == "secret" or (name != "" and name == name.upper()) or (not name and word == "token")
    )


def _passes_for_a_password(value: str, quoted: bool, alone: bool, prose: bool) -> bool:
    """People choose passwords: what stands in quotes or alone on a line needs no randomness."""
    digit = value.strip("0123456789") != value or _re(r"\d").search(value) is not None
    symbol = _re(r"[^A-Za-z0-9_.\-:/]").search(value) is not None
    mixed = value != value.lower() and value[1:] != value[1:].lower()
    if not quoted and _re(_CALL).match(value) is not None:
        return False
    if quoted or alone:
        return digit or symbol or mixed or (value.isalpha() and len(value) >= 6)
    if _re(_CODE).match(value) is not None and not (digit and value.isalnum()):
        return mixed and _is_random(value, 8)
    if prose:
        return len(value) >= 6 and (digit or symbol or mixed) and not value.isdigit()
    return digit or symbol or (mixed and not value.isalpha())


# -- randomness -------------------------------------------------------------------------------

# The most frequent letter pairs of English and of identifiers: random letters hit one in four,
# words more than half.
_COMMON_PAIRS = (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io "
    "le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho "
    "pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt "
    "po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry "
    "mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by "
    "rm ep tt oc fa ef cu rn sc gi "
)
_PAIRS = frozenset(_COMMON_PAIRS.split())
_LETTER_PAIR = r"(?=([a-z]{2}))"
# Drawn text goes to and fro between letters and digits; names do not.
_CASE_RUN = r"[A-Z]?[a-z]{3,}|[A-Z]{3,}"
_TURN = r"[A-Za-z](?=\d)|\d(?=[A-Za-z])"


def _wordiness(value: str) -> float:
    """Share of neighbouring letters that are frequent together: words > .45, random mostly < .35."""
    pairs: list[str] = _re(_LETTER_PAIR).findall(value[:256].lower())
    if len(pairs) < 4:
        return 0.0
    return sum(map(_PAIRS.__contains__, pairs)) / len(pairs)


def _is_random(value: str, least: int) -> bool:
    """Whether a value of at least `least` characters looks drawn rather than written."""
    size = len(value)
    if size < least or len(set(value)) < 6:
        return False
    if _re(r"[A-Za-z]-v?\d{1,4}(?:\.\d{1,6}){1,3}\Z").search(value) is not None:  # `name-1.2.3`
        return False
    if not value.strip("0123456789abcdefABCDEF-"):
        return size >= 12 and (size >= 14 or not value.isdigit())
    digits = len(_re(r"\d").findall(value))
    mixed = value != value.lower() and value != value.upper()
    if digits == 0:
        if not mixed:
            return size >= 14 and _wordiness(value) < 0.25
        return size >= 12 and not _is_camel_case(value)
    turns = len(_re(_TURN).findall(value))
    if turns >= 3 and turns * 7 >= size:
        return True
    written = _is_camel_case(value) if mixed else _wordiness(value) >= 0.42
    return not written and (turns >= 2 or digits * 3 < size)


def _is_camel_case(value: str) -> bool:
    """Whether most letters of mixed case stand in runs of one case, and in frequent pairs."""
    letters = len(_re(r"[A-Za-z]").findall(value))
    runs: list[str] = _re(_CASE_RUN).findall(value)
    return sum(map(len, runs)) >= 0.6 * letters and _wordiness(value) >= 0.3


# -- long runs --------------------------------------------------------------------------------

_RUN = re.compile(r"[A-Za-z0-9+/_\-]{24,}")
# What tells that a long run is a digest, a picture or a public key, and not a secret.
_HASH_BEFORE = (
    r"(?i)(?:sha\d{1,3}[\-:=~]|md5[\-:=]|h1:|base64,|(?:integrity|checksum|digest|hash|signature"
    r"|etag|fingerprint|nonce)\W{1,8}|(?:pub(?:lic)?|csrf|xsrf|authenticity)[\-_]?(?:key|token)"
    r"\W{1,6}(?:value=.)?|ssh-(?:rsa|ed25519) |ecdsa-[a-z0-9\-]{1,24} )\Z"
)
_NAMED_RUN = r"sha\d{1,3}-|md5-|toolu_|msg_|req_|call_|chatcmpl-"
_PICTURES = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "AAAAIGZ0", "PHN2Zy", "d09GM")


def _run_scan(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Tokens known by their shape, and long random strings (F12: 40 characters and more)."""
    for found in _RUN.finditer(text):
        start, end = found.span()
        size = end - start
        first = text[start]
        if first in "MNO":
            bot = _re(r"[MNO][\w\-]{22,28}\.[\w\-]{6,7}\.[\w\-]{27,40}").match(text, start)
            if bot is not None:
                spans.append((start, bot.end(), "discord"))
        if size < 33:
            continue
        run = text[start : min(end, start + 256)]
        before = text[max(0, start - 32) : start]
        if size <= 38 and _re(r"[0-9a-f]{32}-us[0-9]{1,2}\Z").match(run) is not None:
            spans.append((start, end, "mailchimp"))
        elif first in "Aa" and size <= 40 and _re(r"[0-9]{5,16}:\Z").search(before) is not None:
            spans.append((start, end, "telegram"))
        elif _re(r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk").match(run) is not None:
            spans.append((start, end, "maxmind"))
        elif size == 64 and _re(r"pat[A-Za-z0-9]{14}\.\Z").search(before) is not None:
            spans.append((start - 18, end, "airtable"))
        elif size >= 40 and _has_high_entropy(run, before) and not _names_a_file(text, end):
            spans.append((start, end, "high-entropy"))


def _names_a_file(text: str, end: int) -> bool:
    ending = r"\.(?:jpe?g|png|gif|svg|webp|css|m?jsx?|tsx?|map|woff2?|html?|py|md|json|wasm|whl)\b"
    return text[end : end + 1] == "." and _re(ending).match(text, end) is not None


def _has_high_entropy(run: str, before: str) -> bool:
    """Many different characters, digits among them, and no words: not a path, not an identifier."""
    if len(set(run)) < 16 or not run.strip("0123456789abcdefABCDEF-_"):
        return False
    bare = _re(r"(?<![A-Za-z0-9])[0-9A-Fa-f]{4,}(?![A-Za-z0-9])").sub("", run)
    if len(bare) < 36:  # a name with a digest or a UUID in it
        return False
    upper = run != run.lower()
    if len(_re(r"\d").findall(run)) < (2 if upper else 5) or "abcdefghijklm" in run.lower():
        return False
    if run.startswith(_PICTURES) or _re(_NAMED_RUN).match(run) is not None:
        return False
    if _re(_HASH_BEFORE).search(before) is not None:
        return False
    if len(_re(_TURN).findall(bare)) * 7 >= len(bare):
        return True
    words: list[str] = _re(_CASE_RUN).findall(run) if upper else []
    return sum(map(len, words)) < 0.45 * len(run) and _wordiness(run) < 0.36


# -- structures -------------------------------------------------------------------------------

_BEGIN_KEY = r"-----BEGIN[ A-Z0-9_\-]{0,60}PRIVATE KEY(?: BLOCK)?-{0,5}"
_END_KEY = r"-----END[ A-Z0-9_\-]{0,60}PRIVATE KEY(?: BLOCK)?-{0,5}"
_KEY_BODY = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\\r\n \t>|"


def _private_keys(text: str, spans: list[tuple[int, int, str]]) -> None:
    """From BEGIN to END; without an END, to the end of the text; without a BEGIN, back from END."""
    at = 0
    end = _re(_END_KEY).search(text)
    begin = _re(_BEGIN_KEY).search(text)
    while begin is not None or end is not None:
        if begin is None or (end is not None and end.start() < begin.start()):
            assert end is not None
            start = at + len(text[at : end.start()].rstrip(_KEY_BODY))
            spans.append((start, end.end(), "private-key"))
            at = end.end()
        else:
            end = _re(_END_KEY).search(text, begin.end())
            at = len(text) if end is None else end.end()
            spans.append((begin.start(), at, "private-key"))
            begin = _re(_BEGIN_KEY).search(text, at)
        end = _re(_END_KEY).search(text, at)


def _urls(text: str, spans: list[tuple[int, int, str]]) -> None:
    """`scheme://user:password@host` and `scheme://token@host`."""
    pattern = r"://(?:[^\s/@:\"'<>\\]{0,128}:([^\s@/\"'<>\\]{1,256})|([\w\-]{20,128}))@"
    for found in _re(pattern).finditer(text):
        group = 1 if found.group(1) is not None else 2
        value = found.group(group)
        if MARKER in value or _re(_REFERENCE).match(value) is not None or len(set(value)) < 3:
            continue
        if value.lower() in ("password", "pass", "passwd", "pwd", "secret", "token"):
            continue
        if group == 1 or _is_random(value, 20):
            spans.append((found.start(group), found.end(group), "url-password"))


def _short_flags(text: str, spans: list[tuple[int, int, str]]) -> None:
    """`mysql -pX`, `sshpass -p X`, `redis-cli -a X`."""
    for found in _re(r" -[pa] ?[\"']?([^\s\"'$\-\[][^\s\"']{3,256})").finditer(text):
        line = text[max(0, found.start() - 120) : found.start()]
        if _re(r"mysql|mariadb|sshpass|redis-cli|(?:docker|podman) login|ldap").search(line):
            spans.append((found.start(1), found.end(1), "password"))


def _kubernetes(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Every value under `data:` of a Secret, whatever it looks like."""
    if _re(r"kind[\"']?:[ \t]{0,4}[\"']?Secret\b").search(text) is None:
        return
    entries = _re(
        r"\s{0,24}[\"']?[\w.\-]{1,128}[\"']?:[ \t]{0,4}[\"']?([^\s\"',{}\[]{4,2000})[\"',]{0,3}"
    )
    at = 0
    data = _re(r"(?:stringData|data)[\"']?:\s{0,16}\{?").search(text)
    while data is not None:
        at = data.end()
        entry = entries.match(text, at)
        while entry is not None:
            spans.append((entry.start(1), entry.end(1), "kubernetes"))
            at = entry.end()
            entry = entries.match(text, at)
        data = _re(r"(?:stringData|data)[\"']?:\s{0,16}\{?").search(text, at)


def _facebook(text: str, spans: list[tuple[int, int, str]]) -> None:
    for found in _re(r"[|%][0-9A-Za-z\-_]{27,40}(?![0-9A-Za-z])").finditer(text):
        head = text[max(0, found.start() - 17) : found.start()]
        digits = len(head) - len(head.rstrip("0123456789"))
        if digits in (15, 16):
            spans.append((found.start() - digits, found.end(), "facebook"))


def _terraform(text: str, spans: list[tuple[int, int, str]]) -> None:
    for found in _re(r"\.atlasv1\.[\w\-=]{60,70}").finditer(text):
        start = max(0, found.start() - 14)
        if len(set(text[start : found.end()])) > 12:
            spans.append((start, found.end(), "terraform"))


# -- personal data ----------------------------------------------------------------------------

_LOCAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
_NOT_TOP_LEVEL = ("png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "css", "js", "ts", "py", "md")


def _mail_addresses(text: str, spans: list[tuple[int, int, str]]) -> None:
    """E-mail addresses; `git@host:path`, `icon@2x.png` and `package@1.2` are none."""
    pattern = r"@(?:[A-Za-z0-9\-]{1,63}\.){1,8}(xn--[a-z0-9\-]{1,59}|[A-Za-z]{2,24})(?![A-Za-z0-9])"
    for found in _re(pattern).finditer(text):
        head = text[max(0, found.start() - 64) : found.start()]
        stem = head.rstrip(_LOCAL)
        local = head[len(stem) :].lstrip(".%+-")
        if stem.endswith("\\") and local[:1] in ("n", "r", "t"):  # an escape, not a letter
            local = local[1:]
        if local and local != "git" and found.group(1).lower() not in _NOT_TOP_LEVEL:
            spans.append((found.start() - len(local), found.end(), "email"))


# These begin with what is rare in text; what stands before it is looked at when it was found.
_IPV4 = re.compile(r"\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\.?\w)")
_IPV6 = re.compile(r":[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]*")
_IPV6_WHOLE = r"[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:(?:\.\d{1,3}){3})?\Z"
_VERSION_BEFORE = r"(?i)(?:version|ver|release|==|~=|>=|<=|\^|[A-Za-z]/)[\"'\s:=]{0,4}\Z"


def _network_addresses(text: str, spans: list[tuple[int, int, str]]) -> None:
    """IPv4, unless it is the same on every machine (loopback, any, mask) or a version number."""
    for found in _IPV4.finditer(text):
        head = text[max(0, found.start() - 4) : found.start()]
        start = found.start() - len(head) + len(head.rstrip("0123456789"))
        before = text[start - 1] if start else " "
        if start == found.start() or before.isalnum() or before in "._":
            continue
        parts = [int(part) for part in text[start : found.end()].split(".")]
        if max(parts) > 255 or parts[0] in (0, 127, 255):
            continue
        if max(parts) < 10 or (parts[0] < 10 and max(parts) < 100):  # 3.54.1.0 is a version
            continue
        if _re(_VERSION_BEFORE).search(text[max(0, start - 16) : start]) is None:
            spans.append((start, found.end(), "ip"))


def _network_addresses_6(text: str, spans: list[tuple[int, int, str]]) -> None:
    """IPv6 but for `::` and `::1`."""
    for found in _IPV6.finditer(text):
        end = found.end()
        after = text[end : end + 1]
        if after.isalnum() or after == "_" or found.start() + 44 < end:
            continue
        head = text[max(0, found.start() - 5) : found.start()]
        start = found.start() - len(head) + len(head.rstrip("0123456789abcdefABCDEF"))
        before = text[start - 1] if start else " "
        if before.isalnum() or before in "_:.":
            continue
        value = text[start:end].rstrip(".")
        if _is_ipv6(value):
            spans.append((start, start + len(value), "ip"))


def _is_ipv6(value: str) -> bool:
    if value in ("::", "::1") or ":::" in value or value.count("::") > 1:
        return False
    if _re(_IPV6_WHOLE).match(value) is None or _re(r"\d").search(value) is None:
        return False
    if value.count(":") < 4 and _re(r"[0-9A-Fa-f]{3}").search(value) is None:
        return False  # `[1::2]` is a slice
    quad = value.rpartition(":")[2]
    dotted = "." in quad
    if dotted and max(map(int, quad.split("."))) > 255:
        return False
    full = value.count(":") == (6 if dotted else 7) and "" not in value.split(":")
    return "::" in value or full


_PERSON = re.compile(r"[0-9][0-9][0-9]([\- .])([0-9]{2})\1([0-9]{4})(?![\w\-]|\.\d)")


def _person_numbers(text: str, spans: list[tuple[int, int, str]]) -> None:
    """United States social security and taxpayer numbers, written with separators."""
    for found in _PERSON.finditer(text):
        before = text[found.start() - 1] if found.start() else " "
        area, group, serial = (
            text[found.start() : found.start() + 3],
            found.group(2),
            found.group(3),
        )
        if before.isalnum() or before in "_.-" or area in ("000", "666"):
            continue
        if group == "00" or serial == "0000" or (area[0] == "9" and group in ("89", "93")):
            continue
        if area[0] != "9" or "50" <= group <= "65" or group >= "70":
            spans.append((found.start(), found.end(), "person-number"))


# -- the table --------------------------------------------------------------------------------

# Rules behind a literal that must occur; a look for one costs half a microsecond per KB.
_STRUCTURED = (
    (("PRIVATE KEY",), _private_keys),
    (("://",), _urls),
    ((" -p", " -a"), _short_flags),
    (("Secret",), _kubernetes),
    (("|", "%"), _facebook),
    ((".atlasv1.",), _terraform),
    (("@",), _mail_addresses),
    ((".",), _network_addresses),
    ((":",), _network_addresses_6),
    (("-", " ", "."), _person_numbers),
)
# The same without anything to judge: literals, kind, and a pattern whose first group is the secret.
_SHAPES = (
    (("curl",), "basic-auth",
     r"(?:-u|--user)[= ]{1,3}[\"']?[^\s:\"'$]{0,128}:([^\s\"'$<{\[][^\s\"'$]{2,256})"),
    (("ookie",), "cookie",
     r"ookie[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?([^\s\"'\\=;\[]{1,64}=[^\r\n\"'\\\[]{8,2000})"),
    ((":_",), "npm", r":_(?:authToken|auth)[ \t]{0,4}=[ \t]{0,4}([^\s\"'${}\[]{8,512})"),
    (("Q~",), "azure", r"(?<![\w~.])([\w~.]{3}\dQ~[\w~.\-]{31,64})"),
    (("sig=", "ignature="), "signed-url",
     r"[?&;](?:sig|X-Amz-Signature|X-Goog-Signature|Signature)=([\w%+/=\-]{16,1024})"),
    (("hooks",), "webhook",
     r"(hooks.slack.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_\-]{20,})"),
    (("cret_access", "cretAccess", "CRET_ACCESS"), "aws",
     r"(?i)cret_?access_?key[\"'\\]{0,3}[ \t]{0,8}[=:>,][ \t\"'\\]{0,8}([\w/+=]{40})(?![\w/+=])"),
    (("assport", "ravel document"), "person-number",
     r"(?:assport|ravel document)[^\n\d]{0,24}?\b([A-Z]?\d{8,9})(?!\w)"),
)  # fmt: skip


def _structure_scan(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Secrets known by what stands around them."""
    for literals, rule in _STRUCTURED:
        for literal in literals:
            if literal in text:
                rule(text, spans)
                break
    for literals, kind, pattern in _SHAPES:
        for literal in literals:
            if literal in text:
                found = _re(pattern).finditer(text)
                spans.extend((match.start(1), match.end(1), kind) for match in found)
                break
