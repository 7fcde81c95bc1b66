"""Tokens of known kinds, and long runs of characters that look drawn.

The formats are published by their issuers. Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re

from actors.policy.events.named_secrets import hides_a_secret
from actors.policy.events.secret_values import CASE_RUN, TURN, compiled, trie, wordiness

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Span = tuple[int, int, str]  # start, end, kind

# -- known kinds of tokens --------------------------------------------------------------------
# Kind, the prefixes that hint at it, what follows the prefix; formats as their issuers publish
# them. The lengths are minima: a longer token is a token. A pattern is one prefix and one class,
# without a second part that could fail late, so that a hint costs at most its own match.

_TOKEN = r"[A-Za-z0-9]"
_WIDE = r"[A-Za-z0-9_\-]"
_HEX = r"[0-9A-Fa-f]"
_PREFIXED = (
    ("1password", "A3-", r"[A-Z0-9]{6}-[A-Z0-9\-]{21,}"),
    ("1password", "ops_eyJ", r"[A-Za-z0-9+/=_\-]{60,}"),
    ("adobe", "p8e-", _TOKEN + r"{32,}"),
    ("age", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}"),
    ("akamai", "akab-", r"[a-z0-9]{16}-[a-z0-9]{16}"),
    ("alibaba", "LTAI", r"[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    ("anyscale", "esecret_", _TOKEN + r"{20,}"),
    ("artifactory", "cmVmd", _TOKEN + r"{55,}"),
    ("artifactory", "AKCp", _TOKEN + r"{20,}"),
    ("atlassian", "ATATT3 ATCTT3 ATSTT3", r"[\w\-=]{60,}"),
    ("atlassian", "ATBB ATOA", r"[A-Za-z0-9]{28,}(?![a-z])"),
    ("authress", "sc_ ext_ scauth_ authress_",
     r"[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_\-][A-Za-z0-9\-]{10,32}\.[A-Za-z0-9+/_=\-]{30,}"),
    ("aws", "AKIA ASIA ABIA ACCA A3T AROA AIDA", r"[A-Z0-9]{16,17}(?![A-Za-z0-9])"),
    ("aws", "ABSK", r"[A-Za-z0-9+/=]{100,}"),
    ("aws", "bedrock-api-key-", r"[A-Za-z0-9+/=]{20,}"),
    ("axiom", "xaat- xapt-", r"[0-9a-f\-]{36}"),
    ("bitbucket", "BBDC-", r"[A-Za-z0-9+/@_\-]{40,}"),
    ("bitwarden", "0.", r"[0-9a-f]{8}-[0-9a-f\-]{27}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,}"),
    ("browserbase", "bb_live_ bb_test_", r"[\w\-]{20,}"),
    ("buildkite", "bkua_ bkct_", _TOKEN + r"{32,}"),
    ("cashfree", "cfsk_", r"\w{40,}"),
    ("cerebras", "csk-", r"[a-z0-9]{40,}"),
    ("circleci", "CCIPAT_ CCIPRJ_", r"\w{36,}"),
    ("clickhouse", "4b1d", _TOKEN + r"{38}(?![A-Za-z0-9])"),
    ("clickup", "pk_", r"\d{5,9}_[A-Z0-9]{32}"),
    ("clojars", "CLOJARS_", r"[A-Za-z0-9]{50,}"),
    ("cloudflare", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{100,}"),
    ("cockroach", "CCDB1_", r"\w{30,}"),
    ("contentful", "CFPAT-", r"[\w\-]{40,}"),
    ("coralogix", "cxtp_", _TOKEN + r"{28,}"),
    ("crates", "cio", r"(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("databricks", "dapi", r"[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("dbt", "dbtu_ dbtc_ dbts_", r"[\w\-=]{36,}"),
    ("defined", "dnkey-", r"[\w\-=]{60,}"),
    ("deno", "ddp_ ddo_ ddw_", _TOKEN + r"{32,}"),
    ("dify", "app- dataset-", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![\w\-])"),
    ("digitalocean", "dop_v1_ doo_v1_ dor_v1_ dot_v1_", _HEX + r"{40,}"),
    ("docker", "dckr_pat_ dckr_oat_", r"[\w\-]{20,}"),
    ("doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9_.\-]{38,}"),
    ("dropbox", "sl.", r"[\w\-]{120,}"),
    ("dtrack", "odt_", r"(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32,}"),
    ("duffel", "duffel_test_ duffel_live_", r"[\w\-=]{40,}"),
    ("dynatrace", "dt0c01. dt0s01. dt0s16.", r"[A-Za-z0-9.]{60,}"),
    ("e2b", "e2b_", _HEX + r"{40}"),
    ("easypost", "EZAK EZTK", r"[A-Za-z0-9]{50,}"),
    ("elastic", "essu_", r"[\w=]{40,}"),
    ("elevenlabs", "sk_", _HEX + r"{40,}"),
    ("facebook", "EAAM EAAC EAAB EAAG", r"[A-Za-z0-9]{80,}"),
    ("figma", "figd_ figdh_ figu_", r"[\w\-]{36,}"),
    ("firecrawl", "fc-", _HEX + r"{32}(?![\w\-])"),
    ("fireworks", "fw_", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{22,}"),
    ("fleetbase", "flb_live_ flb_test_", _TOKEN + r"{20}"),
    ("flutterwave", "FLWSECK_TEST- FLWSECK- FLWPUBK_TEST-", r"[A-Za-z0-9\-]{12,}"),
    ("flyio", "fo1_", r"(?=[A-Za-z_\-]{0,40}[0-9])[\w\-]{43,}"),
    ("flyio", "fm1r_ fm1a_ fm2_", r"[A-Za-z0-9+/=,_]{60,}"),
    ("frameio", "fio-u-", r"[\w\-=]{60,}"),
    ("github", "ghp_ gho_ ghu_ ghs_ ghr_", _TOKEN + r"{30,}"),
    ("github", "github_pat_", r"\w{40,}"),
    ("gitlab", "glpat- gldt- glft- glsoat- glrt- glffct- glcbt- glrtr- glwt-", r"[\w.\-]{20,}"),
    ("gitlab", "glimt-", _WIDE + r"{25,}"),
    ("gitlab", "glptt-", _WIDE + r"{40}(?![\w\-])"),
    ("gitlab", "glagent-", _WIDE + r"{50,}"),
    ("gitlab", "gloas-", _WIDE + r"{64,}"),
    ("gitlab", "GR1348941", r"[\w\-]{20,}"),
    ("google", "AIza", r"[\w\-]{30,}"),
    ("google", "ya29.", r"[\w.\-]{20,}"),
    ("google", "GOCSPX-", r"[\w\-]{20,}"),
    ("google", "1//0", r"[\w\-]{40,}"),
    ("google", "AQ.Ab8R", r"[\w\-]{40,}"),
    ("grafana", "glc_", r"(?=[A-Za-z]{0,31}[0-9+/])[A-Za-z0-9+/=]{32,}"),
    ("grafana", "glsa_", r"[A-Za-z0-9_]{40,}"),
    ("groq", "gsk_", _TOKEN + r"{40,}"),
    ("harness", "pat. sat.", r"[\w\-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("heroku", "HRKU-", r"[\w\-]{36,}"),
    ("honeycomb", "hcaik_ hcamk_ hcalk_ hcxik_ hcxmk_ hcxlk_", _TOKEN + r"{24,}"),
    ("hubspot", "pat-na1- pat-na2- pat-eu1- pat-ap1-", r"[0-9a-fA-F\-]{36}"),
    ("huggingface", "hf_ api_org_", r"[A-Za-z]{34,40}(?![A-Za-z0-9_])"),
    ("huggingface", "hf_ api_org_", r"(?=[A-Za-z]{0,33}[0-9])[A-Za-z0-9]{34,}"),
    ("infisical", "st.", _HEX + r"{8}-[0-9a-f\-]{27}\.[A-Za-z0-9.]{32,}"),
    ("infracost", "ico-", r"[A-Za-z0-9]{32}(?![A-Za-z0-9.])"),
    ("intercom", "dG9rO", r"[A-Za-z0-9+/=]{40,}"),
    ("intra42", "s-s4t2ud- s-s4t2af-", _HEX + r"{64,}"),
    ("jina", "jina_", _TOKEN + r"{40,}"),
    ("jsr", "jsrp_ jsrd_", _TOKEN + r"{28,}"),
    ("langfuse", "sk-lf-", r"[a-f0-9\-]{30,}"),
    ("langsmith", "lsv2_pt_ lsv2_sk_", r"[a-f0-9_]{32,}"),
    ("launchdarkly", "sdk- api- mob-", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w\-])"),
    ("linear", "lin_api_ lin_oauth_", _TOKEN + r"{36,}"),
    ("logfire", "pylf_v1_", r"\w{40,}"),
    ("mailersend", "mlsn.", _HEX + r"{60,}"),
    ("mailgun", "key- pubkey-", r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("mapbox", "pk. sk. tk.", r"[A-Za-z0-9]{50,100}\.[A-Za-z0-9\-_]{20,}"),
    ("mercadopago", "APP_USR-", r"(?=\d)[\w\-]{50,}"),
    ("mongodb", "mdb_sa_sk_", r"[\w\-]{40}"),
    ("n8n", "n8n_api_", _TOKEN + r"{36,}"),
    ("neon", "napi_", _TOKEN + r"{40,}"),
    ("neon", "npg_", r"[A-Za-z0-9]{12,}"),
    ("netlify", "nfp_ nfc_ nfo_ nfu_", r"[\w\-]{30,}"),
    ("newrelic", "NRAK- NRII- NRJS- NRRA-", r"[A-Za-z0-9\-]{19,}"),
    ("notion", "ntn_", _TOKEN + r"{40,}"),
    ("notion", "secret_", r"(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("npm", "npm_", _TOKEN + r"{30,}"),
    ("nuget", "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("nvidia", "nvapi-", r"[\w\-]{40,}"),
    ("octopus", "API-", r"(?=[A-Z]{0,25}[0-9])[A-Z0-9]{24,}(?![A-Za-z0-9])"),
    ("openai-like", "sk-", r"[A-Za-z0-9_\-]{20,}"),
    ("openshift", "sha256~", r"[\w\-]{43}"),
    ("ory", "ory_pat_ ory_at_ ory_rt_ ory_apikey_", r"[\w\-]{30,}"),
    ("paddle", "pdl_live_apikey_ pdl_sdbx_apikey_", r"\w{40,}"),
    ("pagarme", "ak_live_ ak_test_", _TOKEN + r"{30}"),
    ("perplexity", "pplx-", _TOKEN + r"{40,}"),
    ("pinecone", "pcsk_", r"\w{30,}"),
    ("plaid", "access-sandbox- access-development- access-production-", r"[0-9a-f\-]{36}"),
    ("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_", r"[\w=.\-]{30,}"),
    ("polar", "polar_oat_ polar_pat_ polar_at_", _TOKEN + r"{24,}"),
    ("posthog", "phx_ phs_", _TOKEN + r"{32,}"),
    ("postman", "PMAK-", r"[A-Fa-f0-9\-]{50,}"),
    ("prefect", "pnu_ pnb_", _TOKEN + r"{36,}"),
    ("pulumi", "pul-", r"[a-f0-9]{40,}"),
    ("pypi", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", r"[\w\-]{20,}"),
    ("razorpay", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{14,}"),
    ("readme", "rdme_", r"[A-Za-z0-9]{60,}"),
    ("render", "rnd_", _TOKEN + r"{28,}"),
    ("replicate", "r8_", _TOKEN + r"{37,}"),
    ("resend", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    ("rubygems", "rubygems_", _HEX + r"{40,}"),
    ("runpod", "rpa_", r"[A-Z0-9]{36,}"),
    ("sanity", "skE skP", r"(?=[A-Za-z]{0,80}[0-9])[A-Za-z0-9]{80,}"),
    ("scalingo", "tk-us-", r"[\w\-]{40,}"),
    ("sendgrid", "SG.", r"(?!\w{1,30}\.\.)[\w\-=.]{50,}"),
    ("sendinblue", "xkeysib- xsmtpsib-", r"[A-Za-z0-9\-]{60,}"),
    ("sentry", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_]{60,}"),
    ("settlemint", "sm_aat_ sm_pat_ sm_sat_", _TOKEN + r"{16,}"),
    ("shippo", "shippo_live_ shippo_test_", _HEX + r"{36,}"),
    ("shopify", "shpat_ shpca_ shppa_ shpss_", _HEX + r"{32,}"),
    ("slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp-",
     r"[A-Za-z0-9\-%]{8,}"),
    ("slack", "xapp-", r"[A-Za-z0-9\-]{20,}"),
    ("sonar", "squ_ sqp_ sqa_", r"[A-Za-z0-9]{40,}"),
    ("sourcegraph", "sgp_", r"(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}(?![A-Za-z0-9])"),
    ("sourcegraph", "slk_", _HEX + r"{64}"),
    ("square", "EAAA sq0atp- sq0csp- sq0idp-", r"(?=[A-Za-z\-_]{0,40}[0-9])[\w\-]{22,}"),
    ("squarespace", "sqsp_", _TOKEN + r"{30,}"),
    ("statsig", "secret-", r"(?=[A-Za-z]{0,39}[0-9])[A-Za-z0-9]{40,}(?![A-Za-z0-9])"),
    ("stripe", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_", _TOKEN + r"{10,}"),
    ("supabase", "sbp_ sb_secret_", r"[\w\-]{30,}"),
    ("svix", "testsk_ sk_eu_ sk_us_", r"[\w\-.]{24,}"),
    ("tailscale", "tskey-", r"[A-Za-z0-9\-]{20,}"),
    ("tavily", "tvly-", r"[\w\-]{20,}"),
    ("tencent", "AKID", _TOKEN + r"{32}(?![A-Za-z0-9])"),
    ("together", "tgp_v1_", r"[\w\-]{36,}"),
    ("trello", "ATTA", _HEX + r"{60,}"),
    ("twilio", "SK AC", r"[0-9a-fA-F]{32}(?![A-Za-z0-9])"),
    ("typeform", "tfp_", r"[\w\-.=]{40,}"),
    ("ubidots", "BBFF-", _TOKEN + r"{30}"),
    ("unkey", "unkey_", _TOKEN + r"{20,}"),
    ("upcloud", "ucat_", _TOKEN + r"{24,}"),
    ("vault", "hvs. hvb. hvr.", r"[\w\-]{24,}"),
    ("vault", "s.", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    ("vercel", "vcp_ vci_ vca_ vcr_ vck_", _TOKEN + r"{24,}"),
    ("volcengine", "AKLT", r"[A-Za-z0-9=]{40,}"),
    ("voyage", "pa-", r"(?=[A-Za-z_\-]{0,40}[0-9])[\w\-]{42,}"),
    ("wakatime", "waka_", r"[0-9a-f\-]{36}"),
    ("xai", "xai-", _TOKEN + r"{60,}"),
    ("xata", "xau_", _TOKEN + r"{28,}"),
    ("yandex", "AQVN", r"[\w\-]{35,}"),
    ("yandex", "YC", r"(?=[A-Za-z_\-]{0,37}[0-9])[\w\-]{38}(?![\w\-])"),
    ("yandex", "t1.", r"[\w\-=.]{80,}"),
    ("zoho", "1000.", r"[a-f0-9]{32}\.[a-f0-9]{32}"),
    ("zuplo", "zpka_", r"\w{32,}"),
    ("jwt", "ZXlK", r"[A-Za-z0-9+/=]{40,}"),
    ("jwt", "eyJ", r""),  # two runs and a dot: `_json_web_token`
)  # fmt: skip


# -- long runs: known tokens and random strings -------------------------------------------------


def _rules_by_hint() -> dict[str, list[tuple[str, str]]]:
    """Return for each hint the trie can find the kinds and patterns to try there."""
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
_FIRST = re.compile("(" + trie(list(_RULES)) + ")")
# A token begins where no letter or digit stands before it. Taking that character along, instead of
# looking back at it, lets the engine leap over words.
_HINT = re.compile("[^A-Za-z0-9]" + _FIRST.pattern)
_SHORTEST_RUN = 16  # characters
_REACH = 18  # characters before a run in which the prefix may begin: `xoxe.xoxb-`, `dt0c01.`


def _alphabet(characters: str) -> bytes:
    """Return the table that turns what belongs to a run into `a`, all else into a blank."""
    return bytes(97 if chr(code) in characters else 32 for code in range(256))


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_RUN = _alphabet(LETTERS + "0123456789_-")
_BASE64_RUN = _alphabet(LETTERS + "0123456789_-+/")


def _runs(raw: bytes, alphabet: bytes, least: int) -> Iterable[tuple[int, int]]:
    """Yield where runs of at least `least` characters of `alphabet` begin and end."""
    marks = raw.translate(alphabet) + b" "
    wanted = b"a" * least
    start = marks.find(wanted)
    while start >= 0:
        end = marks.find(b" ", start)
        yield start, end
        start = marks.find(wanted, end)


def run_scan(text: str, raw: bytes, spans: list[Span]) -> None:
    """Find tokens of known kinds, and long strings that look drawn; `raw` is `text` in ASCII."""
    last = 0
    for start, end in _runs(raw, _RUN, _SHORTEST_RUN):
        last = _tokens(text, max(last, start - _REACH), start, end, spans)
        if end - start >= 24:
            _shaped_token(text, start, end, spans)
        if text[start] in "MNO":  # user id, time and signature
            bot = compiled(r"[MNO][\w\-]{22,28}\.[\w\-]{6,7}\.[\w\-]{27,40}").match(text, start)
            if bot is not None:
                spans.append((start, bot.end(), "discord"))
    blocks = _public_blocks(text)
    begin, stop = next(blocks)
    for start, end in _runs(raw, _BASE64_RUN, _SHORTEST_RUN):
        while stop <= start:
            begin, stop = next(blocks)
        if start < begin and (end - start >= 24 or text[end : end + 1] == "="):
            _random_run(text, start, end, spans)


def _tokens(text: str, at: int, start: int, end: int, spans: list[Span]) -> int:
    """Try the rules of every hint from `at` to the run's end; return where the last token ends."""
    found = _FIRST.match(text) if at == 0 else None
    if found is None and text[start - 1 : start] in ("\\", "%"):  # in JSON or a URL: `\\n`, `%3D`
        skipped = 2 if text[start - 1] == "%" else 5 if text[start] == "u" else 1
        found = _FIRST.match(text, start + skipped)
    if found is None:
        found = _HINT.search(text, at, end)
    while found is not None:
        # One back: the last character of what was read may stand before the next token.
        at = max(_token_at(text, found.start(1), found.group(1), spans) - 1, found.start() + 1)
        found = _HINT.search(text, at, end)
    return at


def _token_at(text: str, start: int, hint: str, spans: list[Span]) -> int:
    """Try the rules of one hint; return where to go on searching."""
    if hint == "eyJ":
        return _json_web_token(text, start, spans)
    for kind, pattern in _RULES[hint]:
        match = compiled(pattern).match(text, start)
        if match is not None:
            # A masked token (`sk-xxxx…`) is passed over whole: four characters hold no other.
            if not _is_masked(match.group()[len(hint) :]):
                spans.append((start, match.end(), kind))
            return match.end()
    return start + len(hint)


def _is_masked(body: str) -> bool:
    different = set(body)
    return len(different) <= 4 and not different.isdisjoint("xX01*#.")


def _json_web_token(text: str, start: int, spans: list[Span]) -> int:
    """Find header, dot, payload. The header's run is read once: a run of `eyJ` stays linear."""
    run = compiled(r"[\w\-]*").match(text, start)
    end = start + 3 if run is None else run.end()
    rest = compiled(r"\.[\w\-]{8,}(?:\.[\w\-+/=]*){0,3}").match(text, end)
    if rest is not None and end - start >= 10:
        spans.append((start, rest.end(), "jwt"))
        return rest.end()
    if end - start >= 70 and text.startswith("eyJrIjoi", start):  # Grafana's older keys
        spans.append((start, end, "encoded-json"))
    return end


def _shaped_token(text: str, start: int, end: int, spans: list[Span]) -> None:
    """Find tokens whose shape is known without a prefix."""
    size = end - start
    run = text[start : min(end, start + 256)]
    before = text[max(0, start - 32) : start]
    if size <= 38 and compiled(r"[0-9a-f]{32}-us[0-9]{1,2}\Z").match(run) is not None:
        spans.append((start, end, "mailchimp"))
    elif run[0] in "Aa" and size <= 40 and compiled(r"[0-9]{5,16}:\Z").search(before) is not None:
        spans.append((start, end, "telegram"))
    elif compiled(r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk").match(run) is not None:
        spans.append((start, end, "maxmind"))
    elif (
        compiled(_UNKNOWN_ISSUER).match(run) is not None
        and _is_drawn(run)
        and compiled(_NAMED_RUN).match(run) is None
        and compiled(_HASH_BEFORE).search(before) is None
        and text[end : end + 1] not in ("+", "/")
    ):
        spans.append((start, end, "token"))
    elif size >= 60 and before.endswith(".atlasv1.") and len(set(run)) > 12:
        spans.append((max(0, start - 23), end, "terraform"))
    elif size <= 41 and compiled(r"(?:\A|\D)\d{15,16}[|%]\Z").search(before) is not None:
        spans.append((start - 17 + (before[-17:-16] not in "0123456789"), end, "facebook"))
    elif size == 64 and compiled(r"pat[A-Za-z0-9]{14}\.\Z").search(before) is not None:
        spans.append((start - 18, end, "airtable"))


# The form most issuers have chosen since 2021: their name, what it is, and a drawn body.
_UNKNOWN_ISSUER = (
    r"[a-z][a-z0-9]{1,11}[_\-](?:(?:[a-z0-9]{1,8}[_\-]){0,2}(?:live|test|prod|pat|sk|rk|ak|key|secret|token"
    r"|tok|api|at|rt|sat|oat|admin|apikey)[_\-][A-Za-z0-9]{20,}|[A-Za-z0-9]{32,})(?![\w\-])"
)


def _is_drawn(run: str) -> bool:
    """Whether the last part of a run has letters of both cases and digits in turns, and no words."""
    body = compiled(r"[_\-]").split(run)[-1]
    turns = len(compiled(TURN).findall(body))
    return body != body.lower() and body != body.upper() and turns * 6 >= len(body)


# What tells that a long run is a digest, a picture or a public key, and not a secret.
_HASH_BEFORE = (
    r"(?i)(?:sha\d{1,3}[\-:=~]|md5[\-:=]|h1:|(?:integrity|checksum|digest|hash|signature|etag"
    r"|fingerprint|nonce|mappings)\W{1,8}|[\"'](?:n|x|y|x5t)[\"']:\s?[\"']|-\d:|did:key:|(?:pub(?:lic)?|csrf|xsrf|authenticity)[\-_]?(?:key|token)"
    r"\W{1,6}(?:value=.)?|ssh-(?:rsa|ed25519) |ecdsa-[a-z0-9\-]{1,24} )\Z"
)
_NAMED_RUN = r"age1|npub1|bc1|sha\d{1,3}-|md5-|pk_|phc_|toolu_|msg_|req_|call_|chatcmpl-"
# The first bytes of pictures, fonts and archives, of OpenSSH's public keys (AAAA…) and of DER
# (MI…) in base64. What begins a private key in DER is told apart by `_PRIVATE_DER`.
_PUBLIC_RUNS = (
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "AAAAIGZ0", "PHN2Zy", "d09GM", "H4sI",
    "UEsDB", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAG", "MII", "MIG", "MFkw", "MFIw",
    "MFYw", "MHYw", "MCow", "AGFzbQ", "T2dnUw", "SUQz", "eyJ2ZXJzaW9uIjoz",
)  # fmt: skip
# PKCS #1 and PKCS #8: a sequence whose first element is the number 0 or 1.
_PRIVATE_DER = r"M(?:II[A-Za-z0-9+/]{3}IBA(?:AK|DAN)|H[cQ]CAQE|I[GH][A-Za-z0-9+/]AgE[AB]|C4CAQAw)"
_UNIT = r"\.(?:jpe?g|png|gif|svg|webp|css|m?jsx?|tsx?|map|woff2?|html?|py|md|json|wasm|whl|onion)\b"


def _public_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where blocks of PEM that hold nothing private begin and end; last, the end of it all."""
    at = text.find("-----BEGIN ")
    while at >= 0:
        end = text.find("-----END ", at)
        # A block that was cut ends where no certificate is longer.
        end = at + 8192 if end < 0 else min(end, at + 8192)
        if "PRIVATE" not in text[at : at + 48]:
            yield at, end
        at = text.find("-----BEGIN ", end)
    yield len(text) + 1, len(text) + 1


def _random_run(text: str, start: int, end: int, spans: list[Span]) -> None:
    """Judge a long run: a private key in base64, a credential in base64, or a drawn string."""
    size = end - start
    run = text[start : min(end, start + 256)]
    if run.startswith(_PUBLIC_RUNS):
        if run[0] == "M" and size >= 40 and compiled(_PRIVATE_DER).match(run) is not None:
            spans.append((start, end, "private-key"))
        return
    before = text[max(0, start - 32) : start]
    if size in (64, 76) and _ends_in_public(text, end):
        return
    if (
        size >= 40
        and _has_high_entropy(run, before)
        and "base64," not in before
        and compiled(_UNIT).match(text, end) is None
    ):
        spans.append((start, end, "high-entropy"))
        return
    if hides_a_secret(text[start : min(end, start + 4096)]):
        spans.append((start, end, "base64"))


def _ends_in_public(text: str, end: int) -> bool:
    """Whether a line of base64 belongs to a public block whose beginning was cut off."""
    close = text.find("-----END ", end, end + 8192)
    return close >= 0 and "PRIVATE" not in text[close : close + 48]


def _has_high_entropy(run: str, before: str) -> bool:
    """Many different characters, digits among them, and no words: not a path, not an identifier."""
    if len(set(run)) < 16 or not run.strip("0123456789abcdefABCDEF-_"):
        return False
    if run[:2] == "0x" and not run[2:].strip("0123456789abcdefABCDEF"):
        return False
    if "/" in run and (run[0] == "/" or before[-1:] in "./~"):  # a path: its longest part counts
        run = max(run.split("/"), key=len)
    bare = compiled(r"(?<![A-Za-z0-9])[0-9A-Fa-f]{4,}(?![A-Za-z0-9])").sub("", run)
    if len(bare) < 36:  # a name with a digest or a UUID in it
        return False
    upper = run != run.lower()
    if len(compiled(r"\d").findall(run)) < (2 if upper else 5) or "abcdefghijklm" in run.lower():
        return False
    if (
        compiled(_NAMED_RUN).match(run) is not None
        or compiled(_HASH_BEFORE).search(before) is not None
    ):
        return False
    if len(compiled(TURN).findall(bare)) * 7 >= len(bare):
        return True
    words: list[str] = compiled(CASE_RUN).findall(run) if upper else []
    return sum(map(len, words)) < 0.45 * len(run) and wordiness(run) < 0.36
