"""Tokens of known kinds: who issues them, and how they begin and go on, as their issuers publish it.

The lengths are minima: a longer token is a token. A pattern is one prefix and one class, without a
second part that could fail late, so that a hint costs at most its own match. Loaded by the hook by
its path: see `redaction`.
"""

from __future__ import annotations

import re

# What of one class follows the prefixes: the issuer, the least length, the prefixes.
_CLASSES = (
    (r"[A-Za-z0-9]", """
      adobe 32 p8e- | anyscale 20 esecret_ | artifactory 55 cmVmd | artifactory 20 AKCp |
      buildkite 32 bkua_ bkct_ | clojars 50 CLOJARS_ | coralogix 28 cxtp_ |
      deno 32 ddp_ ddo_ ddw_ | easypost 50 EZAK EZTK | facebook 80 EAAM EAAC EAAB EAAG |
      fleetbase 20 flb_live_ flb_test_ | github 30 ghp_ gho_ ghu_ ghs_ ghr_ | groq 40 gsk_ |
      honeycomb 24 hcaik_ hcamk_ hcalk_ hcxik_ hcxmk_ hcxlk_ | jina 40 jina_ | jsr 28 jsrp_ jsrd_ |
      linear 36 lin_api_ lin_oauth_ | n8n 36 n8n_api_ | neon 40 napi_ | neon 12 npg_ |
      notion 40 ntn_ | npm 30 npm_ | pagarme 30 ak_live_ ak_test_ | perplexity 40 pplx- |
      polar 24 polar_oat_ polar_pat_ polar_at_ | posthog 32 phx_ phs_ | prefect 36 pnu_ pnb_ |
      razorpay 14 rzp_live_ rzp_test_ | readme 60 rdme_ | render 28 rnd_ | replicate 37 r8_ |
      settlemint 16 sm_aat_ sm_pat_ sm_sat_ | sonar 40 squ_ sqp_ sqa_ | squarespace 30 sqsp_ |
      stripe 10 sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_ | ubidots 30 BBFF- |
      unkey 20 unkey_ | upcloud 24 ucat_ | vercel 24 vcp_ vci_ vca_ vcr_ vck_ | xai 60 xai- |
      xata 28 xau_
     """),
    (r"[0-9A-Fa-f]", """
      digitalocean 40 dop_v1_ doo_v1_ dor_v1_ dot_v1_ | e2b 40 e2b_ | elevenlabs 40 sk_ |
      intra42 64 s-s4t2ud- s-s4t2af- | mailersend 60 mlsn. | pulumi 40 pul- |
      rubygems 40 rubygems_ | shippo 36 shippo_live_ shippo_test_ |
      shopify 32 shpat_ shpca_ shppa_ shpss_ | sourcegraph 64 slk_ | trello 60 ATTA
     """),
    (r"[\w\-=]", """
      atlassian 60 ATATT3 ATCTT3 ATSTT3 | dbt 36 dbtu_ dbtc_ dbts_ | defined 60 dnkey- |
      duffel 40 duffel_test_ duffel_live_ | elastic 40 essu_ | frameio 60 fio-u- |
      volcengine 40 AKLT
     """),
    (r"[A-Za-z0-9+/=,@_\-]", """
      1password 60 ops_eyJ | aws 100 ABSK | aws 20 bedrock-api-key- | bitbucket 40 BBDC- |
      flyio 60 fm1r_ fm1a_ fm2_ | intercom 40 dG9rO | sentry 60 sntrys_ sntryu_ | jwt 40 ZXlK
     """),
    (r"[0-9A-Fa-f_\-]", """
      axiom 36 xaat- xapt- | hubspot 36 pat-na1- pat-na2- pat-eu1- pat-ap1- | langfuse 30 sk-lf- |
      langsmith 32 lsv2_pt_ lsv2_sk_ |
      plaid 36 access-sandbox- access-development- access-production- | postman 50 PMAK- |
      wakatime 36 waka_
     """),
    (r"[A-Z0-9]", """
      age 50 AGE-SECRET-KEY-1 | runpod 36 rpa_
     """),
    (r"[\w\-]", """
      browserbase 20 bb_live_ bb_test_ | cashfree 40 cfsk_ | circleci 36 CCIPAT_ CCIPRJ_ |
      cockroach 30 CCDB1_ | contentful 40 CFPAT- | docker 20 dckr_pat_ dckr_oat_ |
      dropbox 120 sl. | figma 36 figd_ figdh_ figu_ |
      flutterwave 12 FLWSECK_TEST- FLWSECK- FLWPUBK_TEST- | github 40 github_pat_ |
      gitlab 25 glimt- | gitlab 50 glagent- | gitlab 64 gloas- | gitlab 20 GR1348941 |
      google 30 AIza | google 20 GOCSPX- | google 40 1//0 | google 40 AQ.Ab8R | grafana 40 glsa_ |
      heroku 36 HRKU- | logfire 40 pylf_v1_ | mongodb 40 mdb_sa_sk_ |
      netlify 30 nfp_ nfc_ nfo_ nfu_ | newrelic 19 NRAK- NRII- NRJS- NRRA- | nvidia 40 nvapi- |
      openai-like 20 sk- | openshift 43 sha256~ | ory 30 ory_pat_ ory_at_ ory_rt_ ory_apikey_ |
      paddle 40 pdl_live_apikey_ pdl_sdbx_apikey_ | pinecone 30 pcsk_ |
      pypi 20 pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw | scalingo 40 tk-us- |
      sendinblue 60 xkeysib- xsmtpsib- | slack 20 xapp- | supabase 30 sbp_ sb_secret_ |
      tailscale 20 tskey- | tavily 20 tvly- | together 36 tgp_v1_ | vault 24 hvs. hvb. hvr. |
      yandex 35 AQVN | zuplo 32 zpka_
     """),
)  # fmt: skip
# What has a form of its own: the issuer, the prefixes, what follows them.
_FORMS = (
    ("1password", "A3-", r"[A-Z0-9]{6}-[A-Z0-9\-]{21,}"),
    ("akamai", "akab-", r"[a-z0-9]{16}-[a-z0-9]{16}"),
    ("alibaba", "LTAI", r"[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    ("atlassian", "ATBB ATOA", r"[A-Za-z0-9]{28,}(?![a-z])"),
    ("authress", "sc_ ext_ scauth_ authress_",
     r"[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_\-][A-Za-z0-9\-]{10,32}\.[A-Za-z0-9+/_=\-]{30,}"),
    ("aws", "AKIA ASIA ABIA ACCA A3T AROA AIDA", r"[A-Z0-9]{16,17}(?![A-Za-z0-9])"),
    ("bitwarden", "0.", r"[0-9a-f]{8}-[0-9a-f\-]{27}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,}"),
    ("cerebras", "csk-", r"[a-z0-9]{40,}"),
    ("clickhouse", "4b1d", r"[A-Za-z0-9]{38}(?![A-Za-z0-9])"),
    ("clickup", "pk_", r"\d{5,9}_[A-Z0-9]{32}"),
    ("cloudflare", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{100,}"),
    ("crates", "cio", r"(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("databricks", "dapi", r"[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("dify", "app- dataset-", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![\w\-])"),
    ("doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9_.\-]{38,}"),
    ("dtrack", "odt_", r"(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32,}"),
    ("dynatrace", "dt0c01. dt0s01. dt0s16.", r"[A-Za-z0-9.]{60,}"),
    ("firecrawl", "fc-", r"[0-9A-Fa-f]{32}(?![\w\-])"),
    ("fireworks", "fw_", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{22,}"),
    ("flyio", "fo1_", r"(?=[A-Za-z_\-]{0,40}[0-9])[\w\-]{43,}"),
    ("gitlab", "glpat- gldt- glft- glsoat- glrt- glffct- glcbt- glrtr- glwt-", r"[\w.\-]{20,}"),
    ("gitlab", "glptt-", r"[A-Za-z0-9_\-]{40}(?![\w\-])"),
    ("google", "ya29.", r"[\w.\-]{20,}"),
    ("grafana", "glc_", r"(?=[A-Za-z]{0,31}[0-9+/])[A-Za-z0-9+/=]{32,}"),
    ("harness", "pat. sat.", r"[\w\-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("huggingface", "hf_ api_org_", r"[A-Za-z]{34,40}(?![A-Za-z0-9_])"),
    ("huggingface", "hf_ api_org_", r"(?=[A-Za-z]{0,33}[0-9])[A-Za-z0-9]{34,}"),
    ("infisical", "st.", r"[0-9A-Fa-f]{8}-[0-9a-f\-]{27}\.[A-Za-z0-9.]{32,}"),
    ("infracost", "ico-", r"[A-Za-z0-9]{32}(?![A-Za-z0-9.])"),
    ("launchdarkly", "sdk- api- mob-", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w\-])"),
    ("mailgun", "key- pubkey-", r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("mapbox", "pk. sk. tk.", r"[A-Za-z0-9]{50,100}\.[A-Za-z0-9\-_]{20,}"),
    ("mercadopago", "APP_USR-", r"(?=\d)[\w\-]{50,}"),
    ("notion", "secret_", r"(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("nuget", "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("octopus", "API-", r"(?=[A-Z]{0,25}[0-9])[A-Z0-9]{24,}(?![A-Za-z0-9])"),
    ("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_", r"[\w=.\-]{30,}"),
    ("resend", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    ("sanity", "skE skP", r"(?=[A-Za-z]{0,80}[0-9])[A-Za-z0-9]{80,}"),
    ("sendgrid", "SG.", r"(?!\w{1,30}\.\.)[\w\-=.]{50,}"),
    ("slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp-",
     r"[A-Za-z0-9\-%]{8,}"),
    ("sourcegraph", "sgp_", r"(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}(?![A-Za-z0-9])"),
    ("square", "EAAA sq0atp- sq0csp- sq0idp-", r"(?=[A-Za-z\-_]{0,40}[0-9])[\w\-]{22,}"),
    ("statsig", "secret-", r"(?=[A-Za-z]{0,39}[0-9])[A-Za-z0-9]{40,}(?![A-Za-z0-9])"),
    ("svix", "testsk_ sk_eu_ sk_us_", r"[\w\-.]{24,}"),
    ("tencent", "AKID", r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("twilio", "SK", r"[0-9a-fA-F]{32}(?![A-Za-z0-9])"),
    ("typeform", "tfp_", r"[\w\-.=]{40,}"),
    ("vault", "s.", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    ("voyage", "pa-", r"(?=[A-Za-z_\-]{0,40}[0-9])[\w\-]{42,}"),
    ("yandex", "YC", r"(?=[A-Za-z_\-]{0,37}[0-9])[\w\-]{38}(?![\w\-])"),
    ("yandex", "t1.", r"[\w\-=.]{80,}"),
    ("zoho", "1000.", r"[a-f0-9]{32}\.[a-f0-9]{32}"),
    ("jwt", "eyJ", r""),  # two runs and a dot, which the reader of tokens looks for itself
)  # fmt: skip


def rules_by_hint() -> dict[str, list[tuple[str, str]]]:
    """Return for each hint the trie can find the kinds and patterns to try there."""
    rules = [(kind, prefixes.split(), body) for kind, prefixes, body in _FORMS]
    for characters, rows in _CLASSES:
        for kind, least, *listed in map(str.split, rows.split("|")):
            rules.append((kind, listed, characters + "{" + least + ",}"))
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
