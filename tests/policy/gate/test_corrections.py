"""Corrections: what a sentence of a prompt makes of a memory about the same subject."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate.correcting_sentence import MOST, said_in
from actors.policy.gate.corrections import corrected
from actors.policy.text.turn import Turn


def after(stored: str, sentence: str, *, discussed: bool = False) -> str | None:
    """What the memory says once the sentence was said; None when it is left alone."""
    found = (corrected(told, stored, discussed=discussed) for told in said_in(Turn(sentence)))
    return next((one.text for one in found if one is not None), None)


@pytest.mark.parametrize(
    ("stored", "sentence", "then"),
    [
        (
            "The session cookie lives for 24 hours.",
            "No, actually the session cookie lives for 8 hours",
            "The session cookie lives for 8 hours.",
        ),
        (
            "The request timeout is 30 seconds.",
            "You got that wrong: the timeout is 5 seconds",
            "The request timeout is 5 seconds.",
        ),
        ("Use npm to install.", "We switched from npm to pnpm", "Use pnpm to install."),
        ("The API is written in Go.", "No, the API is written in Rust", "The API is written in Rust."),
        ("Deploys happen on Tuesday.", "Deploys happen on Friday now", "Deploys happen on Friday."),
        ("The worker retries 3 times.", "The worker retries five times now", "The worker retries five times."),
        ("Use tabs for indentation.", "use spaces, not tabs", "Use spaces for indentation."),
        ("Reports go to finance every month.", "no, the reports go to legal every month", "Reports go to legal every month."),
        ("Node 18 is used in CI.", "we bumped CI to Node 20", "Node 20 is used in CI."),
        ("The config lives in config/app.yml.", "the config lives in settings/app.toml", "The config lives in settings/app.toml."),
        ("Integration tests run against MySQL.", "the tests run against SQLite instead of MySQL", "Integration tests run against SQLite."),
        ("Backoff is exponential.", "backoff is linear now, exponential was too slow", "Backoff is linear."),
        ("Icons come from Feather.", "icons are lucide now, feather is unmaintained", "Icons come from lucide."),
        ("Emails are sent with SendGrid.", "emails go through postmark now", "Emails are sent with postmark."),
        ("Maps are exported as PNG at 300 dpi.", "maps go out as svg now", "Maps are exported as svg at 300 dpi."),
        ("Charts use d3.", "we threw out d3, charts are done with echarts", "Charts use echarts."),
        ("State management is Redux.", "we're moving off redux, new code uses zustand", "State management is zustand."),
        ("API docs are built with Sphinx.", "we build the docs with mkdocs now btw, sphinx is out", "API docs are built with mkdocs."),
        ("Invoices are due in 30 days.", "payment terms changed: invoices are due in 14 days now", "Invoices are due in 14 days."),
        ("Dana owns the parser.", "the parser is Malik's now", "Malik owns the parser."),
        ("The queue takes 100 jobs per minute.", "the queue got raised to 600/min", "The queue takes 600 jobs per minute."),
        ("PRs need two approvals.", "one approval is enough now", "PRs need one approvals."),
        ("Deploys need a share of 80%.", "deploys need a share of 92 % since the audit", "Deploys need a share of 92 %."),
        ("Tickets are in Jira.", "we left jira, everything's in Linear", "Tickets are in Linear."),
        ("The bot posts to #releases.", "the bot posts to #ship-it now", "The bot posts to #ship-it."),
        ("Backups go to Glacier.", "backups land in backblaze now", "Backups go to backblaze."),
        ("Money is stored as floats.", "we store money in integer cents now", "Money is stored as integer cents."),
        ("The team meets on Mondays at 10.", "team meeting is tuesdays at 9 now", "The team meets on tuesdays at 9."),
        ("Search is powered by Elasticsearch 7.", "search runs on OpenSearch 2 now", "Search is powered by OpenSearch 2."),
        ("The ORM is TypeORM.", "forgot to tell you, typeorm is gone, we're using drizzle", "The ORM is drizzle."),
        ("The app is written in Flutter.", "the app got rewritten in kotlin, flutter's out", "The app is written in kotlin."),
        ("State is kept in MobX.", "state is all in react query + zustand now", "State is kept in react query + zustand."),
        ("The on-call rotation changes every Monday.", "oncall handover is wednesday now", "The on-call rotation changes every wednesday."),
        ("The UI language is German.", "ui language = english now", "The UI language is english."),
        ("Secrets live in Vault.", "Secrets live in AWS Secrets Manager instead, Vault was shut down", "Secrets live in AWS Secrets Manager."),
        ("The docs are hosted on Read the Docs.", "docs are on GitHub Pages now", "The docs are hosted on GitHub Pages."),
        ("Deploys need approval from two people.", "deploys need approval from one person now", "Deploys need approval from one people."),
        ("Assets are served by nginx.", "Assets are served by CloudFront these days, not nginx.", "Assets are served by CloudFront."),
        ("Artifacts are published to Nexus.", "We publish artifacts to Quay now", "Artifacts are published to Quay."),
        ("The socket is on port 8090.", "the socket is on 8091 now, 8090 clashed with the proxy", "The socket is on port 8091."),
        ("Hotfixes branch off from master.", "hotfixes branch off from stable, not from master", "Hotfixes branch off from stable."),
        ("Tokens are kept in Vault.", "No - tokens are kept in Infisical", "Tokens are kept in Infisical."),
        ("The monorepo is managed with Lerna.", "lerna -> nx last month", "The monorepo is managed with nx."),
    ],
)  # fmt: skip
def test_another_value_of_the_same_subject_takes_the_old_ones_place(
    stored: str, sentence: str, then: str
) -> None:
    assert after(stored, sentence) == then


@pytest.mark.parametrize(
    ("stored", "sentence", "then"),
    [
        ("Petra owns the billing service.", "Petra left; Omar owns the billing service now", "Omar owns the billing service."),
        ("Ask Petra for access to staging.", "Petra left; ask Jonas for access to staging", "Ask Jonas for access to staging."),
        ("Ping Ravi about payments.", "Ravi quit. Ping Chloe about payments.", "Ping Chloe about payments."),
        ("Hanna is responsible for the release train.", "Hanna moved to another team, Tomasz is responsible for the release train", "Tomasz is responsible for the release train."),
        ("The design system is owned by Bea.", "Bea retired: the design system is owned by Mario", "The design system is owned by Mario."),
        ("Rosa signs off on releases.", "Rosa retired; Emeka signs off on releases.", "Emeka signs off on releases."),
        ("Type checking is done with mypy.", "type checking is done with pyright, mypy was too slow", "Type checking is done with pyright."),
        ("PDFs are rendered with wkhtmltopdf.", "PDFs are rendered with WeasyPrint; wkhtmltopdf was retired", "PDFs are rendered with WeasyPrint."),
        ("Petra owns the billing service.", "Petra is out today; Omar looks at the billing service", None),
        ("Lena maintains the search index.", "Lena left a comment; Tom reads the search index", None),
        ("Lena maintains the search index.", "Lena left; fix the search index test", None),
    ],
)  # fmt: skip
def test_who_or_what_is_no_more_gives_way_to_what_stands_beside_it(
    stored: str, sentence: str, then: str | None
) -> None:
    assert after(stored, sentence) == then


def test_an_article_may_count_a_span_of_time() -> None:
    assert after("Audit logs are kept for 90 days.", "audit logs are kept for a year now") == (
        "Audit logs are kept for a year."
    )
    assert after("The job runs twice a day.", "the job runs for an hour now") is None


def test_what_is_not_done_is_no_value() -> None:
    assert (
        after("Emails are sent through Mailgun.", "the emails are not sent, it returns 401 now")
        is None
    )


def test_what_else_a_memory_says_still_holds() -> None:
    stored = "The cache TTL is 5 minutes and entries are keyed by tenant."

    assert after(stored, "no, the cache TTL is 10 minutes") == (
        "The cache TTL is 10 minutes and entries are keyed by tenant."
    )


@pytest.mark.parametrize(
    ("stored", "sentence", "then"),
    [
        (
            "The API listens on port 8080 and metrics are exposed on 9100.",
            "no, the api is on 8443",
            "The API listens on port 8443 and metrics are exposed on 9100.",
        ),
        (
            "Full backups run at 02:00, logs are shipped at 04:30.",
            "logs are shipped at 05:00 now",
            "Full backups run at 02:00, logs are shipped at 05:00.",
        ),
    ],
)
def test_of_two_values_the_one_gives_way_whose_clause_speaks_of_it(
    stored: str, sentence: str, then: str
) -> None:
    assert after(stored, sentence) == then


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ("The example is RIGHT THERE in the docs.", "right now we keep nothing about it in the MD"),
        (
            "We want good output of `kiln watch`.",
            "now at startup of `kiln watch` I get a row, e.g.:",
        ),
        ("Let's use table tests where needed.", "rather than a new table.go let's do cmd/list.go"),
        ("Never read files in RunE.", "Read `/tmp/debug.log` again."),
        (
            "People sign in with the run command.",
            "the flags are not for every command but only for sync",
        ),
        (
            "The CLI is here, and the web API is beside it.",
            "we're on a branch for the Falcon CLI now",
        ),
        ("Never touch .cursor files.", "the event was from another agent, not Cursor"),
        ("After a sync people go to the Kiln Cloud.", "move this library into the Kiln CLI now"),
        # Shapes that rewrote memories in replays of real sessions; no such rewriting was right.
        ("The table on 24 is too wide.", "instead make 7 tables"),
        ("The piece of search is the 3+ argument.", "Piece 1 & 2 only, not 3"),
        ("Payments that should be available in the menu: cash.", "the card library not available"),
        ("There will be rooms without a default.", "the most common path is from rooms to prices"),
        (
            "I am happy to use mock services for the tests.",
            "NO MATTER WHAT, DO NOT CONTINUE USING THE MOCK DATABASE.",
        ),
        (
            "The starting number of new invoices: continue.",
            "this will not generate number, it will keep invoice data",
        ),
        (
            "Imports in draw.js use `@/src/` instead of local `./`.",
            "the root is used instead of local",
        ),
        ("Price comes from pricelists.", "no print for now. Just one off pricelists"),
        ("The filter is copied from paths package.", "Two decisions instead of 6 code paths."),
        (
            "First we need to get back to main.",
            "don't forget to branch off main, not the current branch",
        ),
        (
            "Guests appear by name in the list of guests.",
            "Not only by order name but by guest names",
        ),
        (
            "The problem is that your database has no `uuid-ossp` extension.",
            'In database there is "payment_method" not "method"',
        ),
        (
            "You need to be careful about the context window.",
            "be very careful about not overflowing the context window",
        ),
    ],
)
def test_what_people_report_order_and_stress_in_their_work_corrects_nothing(
    stored: str, sentence: str
) -> None:
    assert after(stored, sentence) is None


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ("Alerts are sent by email.", "alerts are muted now"),
        ("Alerts are sent by email.", "alerts go out every minute now"),
        ("Backups go to Glacier.", "backups are unreliable now"),
        ("Backups go to Glacier.", "backups run in the evening now"),
        ("Deploys go through Argo.", "deploys go to eu-west-1 now"),
        ("Docs are built with Sphinx.", "docs are in the monorepo now"),
        ("Emails are sent with SendGrid.", "emails go to the customer now"),
        ("Icons come from Feather.", "icons are blue now"),
        ("Images are pulled from Docker Hub.", "images are built in parallel now"),
        ("Invoices are stored in S3.", "invoices are in euros now"),
        ("Keys are hashed in the db.", "keys have the prefix pk_live_ since the rename"),
        ("Money is stored as floats.", "money is shown in euros now"),
        ("Reports are sent to finance.", "reports are in german now"),
        ("Sessions are stored in Redis.", "sessions are encrypted with aes now"),
        ("Tests run on Postgres.", "the tests run in docker now"),
        ("Tests run on Postgres.", "tests run on every push now"),
        ("The app is written in Flutter.", "the app is in the play store now"),
        ("The theme is dark.", "the theme is in theme.ts now"),
        ("Thumbnails are 320 px wide.", "thumbnails are webp now"),
        ("Uploads go to S3.", "uploads go through the gateway now"),
    ],
)
def test_something_else_that_is_said_of_the_same_subject_corrects_nothing(
    stored: str, sentence: str
) -> None:
    assert after(stored, sentence) is None


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ("The session cookie lives for 24 hours.", "The refresh token lives for 8 hours"),
        ("The session cookie lives for 24 hours.", "The admin session cookie lives for 8 hours"),
        ("The timeout in staging is 30 seconds.", "the timeout in production is 5 seconds"),
        ("Deploys happen on Tuesday.", "Deploys also happen on Friday"),
        ("The retro is on Thursday.", "The planning is on Monday"),
        ("The worker retries 3 times.", "Should the worker retry 5 times?"),
        ("The worker retries 3 times.", "Maybe the worker retries 5 times"),
        ("The worker retries 3 times.", "The worker used to retry 5 times"),
        ("The worker retries 3 times.", "set the worker to retry 5 times"),
        ("Use npm to install.", "Use npm to install."),
        ("The cluster has 3 nodes.", "two nodes are down right now"),
        ("The worker runs on port 9000.", "the proxy is on port 9001 now"),
        ("The US region is us-east-1.", "the EU region is eu-west-1 now"),
        ("Search runs on Elasticsearch 7.", "the docs run on Docusaurus 2 now"),
        (
            "Releases are cut from the develop branch.",
            "we cut releases off main these days, develop is dead",
        ),
        ("A summary has 3 steps.", "Step -> Step -> Checkpoint"),
        ("Artifacts are kept 14 days.", "logs are kept 7 days now"),
        ("The default theme is dark.", "the default language is German now"),
        ("Billing runs nightly at 02:00.", "billing is Malik's now"),
        ("The build runs on Jenkins.", "the build is green again"),
        (
            "Agents define their own string constants.",
            "we should be using the strong types instead of string",
        ),
        ("Bugs found in a review get a test.", "it says `session not found` again"),
    ],
)
def test_another_subject_a_question_a_guess_an_order_and_one_more_correct_nothing(
    stored: str, sentence: str
) -> None:
    assert after(stored, sentence) is None


def test_a_sentence_without_a_subject_speaks_only_of_what_the_session_was_shown() -> None:
    stored = "The standup is on Tuesday at 9:30."

    assert after(stored, "moved to Wednesday") is None
    assert after(stored, "moved to Wednesday", discussed=True) == (
        "The standup is on Wednesday at 9:30."
    )
    assert after("The default branch is called main.", "renamed, it is called trunk", discussed=True) == (
        "The default branch is called trunk."
    )  # fmt: skip
    assert after("We want a plan in Chunk 5.", "50 is wrong", discussed=True) is None


def test_a_prompt_is_read_sentence_by_sentence_and_a_pasted_document_is_not() -> None:
    prompt = "Thanks! No, the timeout is 5 seconds. Can you look at the logs?"

    assert [told.text for told in said_in(Turn(prompt))] == ["the timeout is 5 seconds."]
    assert said_in(Turn("The timeout is 5 seconds. " * 500)) == ()
    assert len(said_in(Turn("No, the timeout is 5 seconds.\n" * 20))) == MOST


@given(st.text(max_size=200), st.text(max_size=200), st.booleans())
def test_no_text_breaks_it_and_what_is_corrected_differs(
    stored: str, sentence: str, discussed: bool
) -> None:
    assert after(stored, sentence, discussed=discussed) != stored
