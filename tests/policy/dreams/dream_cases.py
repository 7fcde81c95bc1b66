"""Notes with a planted structure, and unrelated ones: what a dream must find, and must not.

Days count back from ``NOW``. ``cosines.json`` beside this file's user holds what the default model
says of these texts; ``ALONE`` and ``TOGETHER`` are told apart because what is found among two
hundred other notes must not depend on those.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

NOW: Final = 1_800_000_000.0
DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Note:
    """One memory: when, what, of which kind, of which project."""

    days: float  # before ``NOW``
    text: str
    kind: str = "fact"
    project: str | None = "/src/app"


@dataclass(frozen=True, slots=True)
class Case:
    """Notes among which one structure is planted, and the kind of insight that tells it."""

    name: str
    kind: str
    notes: tuple[Note, ...]


def _case(kind: str, name: str, *notes: tuple[float, str] | tuple[float, str, str]) -> Case:
    made = (
        Note(one[0], one[1], project=f"/src/{one[2]}" if len(one) == 3 else "/src/app")
        for one in notes
    )
    return Case(name, kind, tuple(made))


TUNED: Final = (
    _case(
        "recurring_pattern", "payments time out",
        (52, "The payments API timed out again during checkout"),
        (41, "Checkout hung because the payment provider answered too slowly"),
        (27, "Saw gateway timeouts from the payments service this morning"),
        (9, "Payment requests ran into a timeout while customers were paying"),
    ),
    _case(
        "recurring_pattern", "flaky login test",
        (60, "test_login_redirect failed once and passed on the second run"),
        (44, "CI was red because test_login_redirect is flaky"),
        (23, "Had to rerun the pipeline, the login redirect test flaked"),
        (5, "test_login_redirect flickers when the machine is loaded"),
    ),
    _case(
        "recurring_pattern", "disk fills up",
        (55, "The build server ran out of disk space"),
        (37, "No space left on device on the build machine, cleared docker images"),
        (18, "Builds stopped because the disk of the CI host was full"),
        (4, "Disk full on the build server once more"),
    ),
    _case(
        "contradiction", "retries",
        (40, "Failed webhooks are retried five times with exponential backoff"),
        (3, "Webhooks that fail are not retried at all"),
    ),
    _case(
        "contradiction", "session store",
        (70, "User sessions are stored in Redis"),
        (8, "User sessions are kept in PostgreSQL"),
    ),
    _case(
        "contradiction", "upload limit",
        (33, "The maximum upload size is 25 MB"),
        (2, "Uploads may be at most 100 MB"),
    ),
    _case(
        "contradiction", "indentation",
        (90, "We always indent Go and Makefiles with tabs, never spaces"),
        (12, "Use spaces for indentation in Makefiles and Go, not tabs"),
    ),
    _case(
        "contradiction", "feature flag",
        (30, "The new search is enabled for all tenants"),
        (5, "The new search is disabled for all tenants"),
    ),
    _case(
        "knowledge_gap", "backup rotation",
        (45, "How are the nightly backups rotated? Nobody in the team knows"),
        (30, "Could not find out who rotates the database backups"),
        (11, "Open question: how long are the nightly backups kept before rotation?"),
    ),
    _case(
        "knowledge_gap", "licence server",
        (39, "Why does the licence server need port 27000? Not documented anywhere"),
        (25, "Unclear what the licence server does on start"),
        (8, "Still do not know how the licence server picks its port"),
    ),
    _case(
        "knowledge_gap", "memory leak",
        (28, "The worker leaks memory and is killed by the OOM killer, cause unknown"),
        (19, "Worker process grew to 4 GB and crashed, no idea why"),
        (7, "Another out-of-memory crash of the worker, we do not understand the leak"),
    ),
    _case(
        "knowledge_gap", "tax rounding",
        (58, "Which rounding rule applies to Swiss VAT on invoices?"),
        (33, "Asked accounting about VAT rounding for Switzerland, no answer yet"),
        (13, "Is Swiss VAT rounded per line or per invoice? still open"),
    ),
    _case(
        "knowledge_gap", "certificate renewal",
        (64, "Who renews the TLS certificate of the mail relay?"),
        (31, "It is not written down how the mail relay's certificate gets renewed"),
        (9, "Tried to find the renewal procedure for the relay certificate, found nothing"),
    ),
    _case(
        "temporal_trend", "builds get slower",
        (80, "The full build takes 6 minutes"),
        (55, "A full build now needs 9 minutes"),
        (30, "Build time is up to 13 minutes"),
        (4, "The build takes 21 minutes by now"),
    ),
    _case(
        "temporal_trend", "latency grows",
        (75, "p95 latency of the search endpoint is 120 ms"),
        (50, "Search endpoint p95 rose to 180 ms"),
        (22, "The search endpoint's p95 latency reached 260 ms"),
        (3, "p95 of search is 410 ms this week"),
    ),
    _case(
        "hidden_connection", "database url",
        (50.5, "Changed DATABASE_URL in the staging environment"),
        (50.4, "The deploy to staging failed with a connection error"),
        (29.5, "Set a new DATABASE_URL for staging"),
        (29.4, "Staging deploy broke: could not connect to the database"),
        (10.5, "DATABASE_URL of staging was edited"),
        (10.3, "Deploy failed on staging, database connection refused"),
    ),
    _case(
        "hidden_connection", "cache flush",
        (40.5, "Flushed the CDN cache after the release"),
        (40.45, "Origin servers were overloaded with requests right after"),
        (15.5, "Purged the whole CDN cache"),
        (15.46, "Traffic spike at the origin servers, they became overloaded"),
    ),
    _case(
        "recurring_pattern", "stated causes",
        (66, "The mobile app crashed because the config service returned an empty list"),
        (38, "Crash of the mobile app caused by an empty answer from the config service"),
        (14, "An empty config service response led to app crashes on phones"),
    ),
    _case(
        "hidden_connection", "kernel update",
        (44.2, "Updated the kernel on the GPU hosts"),
        (44.0, "CUDA stopped working on the GPU hosts"),
        (16.3, "GPU hosts got a kernel upgrade last night"),
        (16.0, "Training jobs fail on the GPU hosts: CUDA driver not found"),
    ),
    _case(
        "generalization", "eager loading",
        (60, "In the orders endpoint, N+1 queries went away with eager loading", "shop"),
        (40, "Eager loading removed the N+1 queries of the customers list", "crm"),
        (15, "The invoices page had N+1 queries, eager loading solved it", "billing"),
    ),
    _case(
        "generalization", "idempotency keys",
        (52, "Payments need an idempotency key so that a retry does not charge twice", "shop"),
        (30, "The e-mail sender uses an idempotency key to avoid sending twice on retry", "mail"),
        (11, "Retried imports created duplicates until we added idempotency keys", "etl"),
    ),
    _case(
        "generalization", "timeouts on clients",
        (70, "The weather client hung forever without a timeout; set one explicitly", "iot"),
        (44, "Set an explicit timeout on the S3 client, the default waits forever", "media"),
        (12, "Without an explicit timeout the LDAP client blocks forever", "auth"),
    ),
    _case(
        "generalization", "small pull requests",
        (66, "The login refactoring was reviewed within a day because the pull request was small", "auth"),
        (35, "Small pull requests got the search rewrite reviewed quickly", "search"),
        (10, "Splitting the billing change into small pull requests sped up review", "billing"),
    ),
    _case(
        "generalization", "index on foreign keys",
        (61, "An index on the foreign key made deleting users fast", "auth"),
        (37, "Deleting orders was slow until the foreign key got an index", "shop"),
        (9, "Deletes on the comments table need an index on the foreign key", "blog"),
    ),
)  # fmt: skip

# Written after the rules were tuned on the above, and run once before anything was changed.
HELD_OUT: Final = (
    _case(
        "recurring_pattern", "vpn drops",
        (57, "VPN connection dropped twice during the customer demo"),
        (36, "Lost the VPN tunnel in the middle of a deployment"),
        (22, "The VPN disconnects when I switch from wifi to cable"),
        (8, "Reconnecting the VPN ate my morning again"),
    ),
    _case(
        "contradiction", "minimum python",
        (88, "The library supports Python 3.8 and newer"),
        (7, "Python 3.11 is the minimum version for the library"),
    ),
    _case(
        "contradiction", "who approves",
        (41, "Every pull request needs two approvals before merging"),
        (4, "A single approval is enough to merge a pull request"),
    ),
    _case(
        "contradiction", "message broker",
        (75, "Order events are published through RabbitMQ"),
        (10, "We publish order events with Kafka"),
    ),
    _case(
        "contradiction", "logs contain emails",
        (36, "Customer e-mail addresses never appear in the logs"),
        (1, "The logs contain the e-mail address of each customer"),
    ),
    _case(
        "contradiction", "deploy day",
        (64, "Production deploys happen on Thursdays"),
        (12, "We deploy to production every Monday"),
    ),
    _case(
        "knowledge_gap", "queue ordering",
        (44, "Does the event queue guarantee order within a tenant?"),
        (26, "Searched the wiki for the ordering guarantees of the event queue, nothing there"),
        (8, "Still wondering whether events of one tenant arrive in order"),
    ),
    _case(
        "knowledge_gap", "legacy cron",
        (53, "There is a cron job on the old host that nobody can explain"),
        (30, "What does the cron job on the legacy host do at 3 am?"),
        (6, "No documentation about the nightly cron job of the legacy machine"),
    ),
    _case(
        "knowledge_gap", "gdpr retention",
        (61, "How long must we keep chat transcripts under GDPR?"),
        (35, "Legal has not answered how long chat transcripts may be stored"),
        (9, "Retention period for chat transcripts remains unknown"),
    ),
    _case(
        "knowledge_gap", "websocket drops",
        (38, "Websocket connections drop after sixty seconds and we do not know the reason"),
        (21, "Why are websockets closed after a minute?"),
        (5, "Websocket disconnects are back, cause unclear"),
    ),
    _case(
        "knowledge_gap", "partner api limits",
        (49, "Do we know the rate limit of the partner API?"),
        (27, "Asked the partner for their API rate limits, no reply so far"),
        (11, "Partner API rejected calls, limits are not documented"),
    ),
    _case(
        "temporal_trend", "test suite count",
        (90, "The test suite has 1200 tests"),
        (60, "We are at 1700 tests in the suite"),
        (31, "Test suite counts 2300 tests"),
        (3, "The suite grew to 3100 tests"),
    ),
    _case(
        "temporal_trend", "memory use",
        (70, "The indexer uses 300 MB of RAM"),
        (48, "Indexer memory is at 420 MB"),
        (20, "RAM of the indexer went up to 650 MB"),
        (2, "The indexer consumes 900 MB now"),
    ),
    _case(
        "temporal_trend", "onboarding gets faster",
        (100, "Onboarding a new developer took 10 days"),
        (66, "A new developer was onboarded in 7 days"),
        (33, "New developer productive after 4 days of onboarding"),
        (5, "Onboarding needed just 2 days for the latest developer"),
    ),
    _case(
        "hidden_connection", "schema migration locks",
        (60.5, "Applied a schema migration to the orders table"),
        (60.4, "The shop was unavailable for ten minutes"),
        (33.5, "Ran another migration on the orders table, altered two columns"),
        (33.42, "Shop went down, customers got error pages"),
        (7.5, "Orders table was migrated to the new schema"),
        (7.4, "Outage of the shop for several minutes"),
    ),
    _case(
        "hidden_connection", "log level",
        (45.3, "Turned on debug logging on the API nodes"),
        (45.1, "API nodes ran out of disk space"),
        (12.6, "Enabled verbose debug logs for the API nodes"),
        (12.5, "Disk full on the API nodes"),
    ),
    _case(
        "hidden_connection", "proxy restart",
        (39.9, "Restarted the reverse proxy to load the new config"),
        (39.88, "All users were logged out, sessions lost"),
        (13.9, "Reverse proxy was restarted after a config edit"),
        (13.87, "Users complain that their sessions were lost"),
    ),
    _case(
        "recurring_pattern", "large attachments",
        (58, "Mail delivery stalled because of an attachment over 20 MB"),
        (31, "A huge attachment caused the mail queue to stall"),
        (9, "Mail queue stuck again due to an oversized attachment"),
    ),
    _case(
        "recurring_pattern", "dst jobs",
        (50, "Renaming the bucket broke the thumbnail job"),
        (28, "The thumbnail job failed after the bucket was renamed"),
        (6, "Thumbnails stopped working when somebody renamed the storage bucket"),
    ),
    _case(
        "generalization", "circuit breakers",
        (63, "A circuit breaker kept the shop responsive while the recommender was down", "shop"),
        (34, "With a circuit breaker the portal survives an outage of the CRM", "portal"),
        (8, "The chatbot stays usable thanks to a circuit breaker around the LLM", "chatbot"),
    ),
    _case(
        "generalization", "pin dependencies",
        (72, "Pinning exact versions made the frontend build reproducible", "web"),
        (41, "The data pipeline became reproducible once dependency versions were pinned", "etl"),
        (13, "Pin dependencies exactly: the firmware build is reproducible since then", "firmware"),
    ),
    _case(
        "generalization", "pagination",
        (69, "Cursor pagination made the audit log endpoint fast", "audit"),
        (38, "Replacing offset by cursor pagination sped up the feed", "social"),
        (15, "The product list is quick since it uses cursor pagination", "shop"),
    ),
)  # fmt: skip

_PROSE: Final = """
The canteen closes at two on Fridays
git bisect needs a clean working tree
The office printer wants A4 paper from tray two
Our logo's green is #2A9D8F
Monika is on parental leave until March
The staging password lives in the team vault
pandas read_csv guesses dtypes from the first rows
Use a monospaced font in slides with code
The fire drill is on the first Tuesday
ripgrep respects .gitignore by default
The customer in Lyon prefers phone calls
A semaphore of 8 limits the thumbnailer
Vim's :earlier undoes by time
Parking permits are renewed in January
The parser treats tabs as eight columns
Coffee beans are ordered from a roaster in Trieste
asyncio.gather hides the second exception
The glossary lives in docs/terms.md
The intern starts with the onboarding checklist
MP3 previews are cut at thirty seconds
Our SLA promises 99.5 percent availability
Protobuf field numbers must never be reused
The lift to the fourth floor is out of order
Emoji in commit messages are discouraged
The sandbox account for PayPal expires in autumn
Matplotlib leaks figures unless closed
Postal codes in Ireland contain letters
The keyboard shortcut for the debugger is F8
Lighthouse scores are checked before a launch
Translations come from a vendor in Porto
The quarterly review has five slides at most
SSH agent forwarding is forbidden on bastion hosts
A monad is a monoid in the category of endofunctors
The drone needs firmware 4.2 for waypoints
Bike racks are behind building C
Kafka offsets are committed after the batch
The onboarding video is eleven minutes long
Pixel art is scaled with nearest neighbour
The greenhouse sensor reports humidity hourly
Old laptops go to the school across the street
tmux prefix is remapped to Ctrl-Space
The accessibility audit found low contrast on buttons
Rust's borrow checker rejects two mutable references
Wine for the party is paid by the board
The elevator pitch mentions three customers
Terraform state is locked with DynamoDB
The choir rehearses in the big meeting room
Fonts are subset to Latin and Greek
A leap second broke the scheduler in 2012
Avocado toast is the most ordered breakfast
Unit tests for the colour picker use snapshots
The lawyer wants contracts as PDF/A
OAuth scopes are requested lazily
The robot arm is calibrated on Mondays
Markdown tables are rendered with borders
The podcast is recorded in the small studio
Garbage collection pauses stay below ten milliseconds
Shipping to Norway needs customs form CN22
The chess bot thinks two seconds per move
Swagger docs are generated at build time
""".strip()

_THINGS: Final = """
lamp violin compiler ledger turbine passport telescope bicycle router anchor tractor beacon saddle
furnace kettle scanner ladder tablet hammer mirror pigeon cushion antenna carpet folder candle
""".split()
_PLACES: Final = """
corridor attic harbour garden library kitchen cellar museum bakery theatre chapel stadium airport
nursery balcony workshop tunnel pharmacy vineyard courthouse lobby warehouse gallery canal
""".split()
_OTHERS: Final = """
amber Tuesday copper seven velvet north marble silent winter paper lemon granite purple eleven
autumn bronze noon cotton ivory thirty linen southern cobalt midnight
""".split()
_FORMS: Final = (
    "The {0} in the {1} was repaired in {2}",
    "{0} inventory for the {1} is counted by the {2} team",
    "Remember to bring the {0} from the {1} to {2}",
    "Price of a {0} at the {1} went to {2} coins",
    "Somebody painted the {0} near the {1} {2}",
    "Notes on {0}: stored beside the {1}, label {2}",
    "A {0} was seen at the {1} by the {2} guard",
    "The {1} door opens with the {0} key, colour {2}",
    "Dream about a {0} crossing the {1} at {2}",
    "Order number for {0} and {1} contains the word {2}",
)


def filler() -> tuple[Note, ...]:
    """Two hundred notes that have nothing to do with each other: 60 of prose, 140 of forms."""
    texts: list[str] = [*_PROSE.splitlines()]
    chance = Random(5)
    for form in _FORMS * 14:
        texts.append(form.format(*map(chance.choice, (_THINGS, _PLACES, _OTHERS))))
    return tuple(Note(1 + (number * 37) % 89, text) for number, text in enumerate(texts[:200]))


CASES: Final = (*TUNED, *HELD_OUT)
