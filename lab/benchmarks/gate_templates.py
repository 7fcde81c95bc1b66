"""Pairs of coding notes from templates, to fit the gate's weights on (docs/adr/0007).

Public pairs of sentences speak of girls in hats; what is kept here are ports, queues and rules.
Each pair is made for one relation: a changed value, another subject with the same words, a row of
a list, another fact of the same subject, an announced change, the same said again, a rule and its
opposite. Always the same pairs: the weights that ship were fitted on these.
"""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

SEED: Final = 5


class Pair(NamedTuple):
    """A stored and a new note, and what the gate should do: reinforce, conflict or new."""

    stored: str
    new: str
    outcome: str
    kind: str


class Fact(NamedTuple):
    """A sentence about a subject {s}, and the values {v} it may have."""

    sentence: str
    values: Sequence[object]


NAMES: Final = (
    "billing payments auth search catalog checkout inventory notifications gateway scheduler"
    " reporting profile media export ingest webhook session ledger pricing shipping"
).split()
ABOUT: Final = (
    "the {} service",
    "the {} module",
    "the {} job",
    "the {} worker",
    "the {} API",
)
IDENTIFIERS: Final = (
    "auth-api billing-api user_service OrderService PaymentWorker queue-worker api-gateway"
    " import_job SearchIndexer mail-sender CartStore report_builder"
).split()
NUMBERED: Final = (
    "Component Worker Shard Task Module Node Service Tenant Customer Pipeline Step Partition Sensor"
).split()
PLACES: Final = (
    "staging",
    "production",
    "the preview environment",
    "the mobile app",
    "the web client",
    "the admin panel",
)
FACTS: Final = (
    Fact("{s} listens on port {v}", (8080, 8081, 5432, 5433, 3000, 9090, 6379, 4000, 7001)),
    Fact("{s} retries {v} times", (2, 3, 4, 5, 7, 10)),
    Fact("The timeout of {s} is {v} seconds", (5, 10, 15, 30, 60, 90)),
    Fact("{s} runs on Python {v}", ("3.9", "3.10", "3.11", "3.12")),
    Fact("{s} stores its data in {v}", "PostgreSQL MySQL SQLite MongoDB DynamoDB Redis".split()),
    Fact("{s} publishes events to {v}", "Kafka RabbitMQ NATS SQS".split()),
    Fact("{s} is deployed on {v}", "AWS GCP Azure Heroku Vercel".split()),
    Fact(
        "{s} writes its logs to {v}",
        "/var/log/app.log /var/log/service.log stdout logs/app.json s3://logs/prod".split(),
    ),
    Fact("{s} keeps sessions for {v} minutes", (10, 15, 20, 30, 60)),
    Fact("{s} is owned by the {v} team", "platform payments growth data mobile infra".split()),
    Fact("{s} caches responses in {v}", "Redis Memcached Varnish".split()),
    Fact("{s} is built with version {v} of the SDK", ("1.2.0", "1.4.1", "2.0.0", "2.3.7")),
    Fact("{s} allows at most {v} connections", (10, 20, 50, 100, 200)),
    Fact("{s} is tested with {v}", "Jest Vitest Mocha pytest unittest".split()),
    Fact("{s} validates tokens with {v}", "RS256 HS256 ES256 EdDSA".split()),
    Fact("The rate limit of {s} is {v} requests per minute", (60, 100, 120, 300, 600)),
    Fact(
        "{s} reads its configuration from {v}",
        "config.toml settings.yaml .env app.json config/prod.ini".split(),
    ),
    Fact("{s} sends mail through {v}", "SendGrid Mailgun Postmark SES".split()),
)
OPENINGS: Final = (
    "Note that ",
    "Remember: ",
    "Remember that ",
    "FYI, ",
    "For the record, ",
    "Reminder: ",
    "As agreed, ",
    "Keep in mind that ",
)
REWORDED: Final = (
    ("is deployed on", "gets deployed on"),
    ("stores its data in", "keeps its data in"),
    ("is owned by", "belongs to"),
    ("retries", "makes retries"),
    ("listens on port", "uses port"),
    ("seconds", "sec"),
    ("at most", "no more than"),
)
LISTED: Final = (
    "Component Worker Sensor Tenant Host Order User Route Metric Table Node Bucket Topic"
).split()
ROWS: Final = (
    "{k} {i} uses queue q{a}, retry {b}",
    "{k} {i}: port {a}, weight {b}",
    "{k}-{i} lives at 10.0.{a}.{b}",
    "{k} {i} has {a} replicas and {b} GB of memory",
    "{k}_{i} -> handler_{a} ({b} ms)",
    "{k} #{i} writes to shard {a} with TTL {b}",
    "Fact {i}: the {k} id is {a}{b}",
    "{k} {i} is assigned to room {a} on floor {b}",
)
JOINTS: Final = (", ", "; ", " and ")
# A rule, its opposite, and the rule in other words.
RULES: Final[Sequence[tuple[str, str, str]]] = [
    (rule, opposite, reworded)
    for rule, opposite, reworded in json.loads(
        Path(__file__).with_name("rules.json").read_text(encoding="utf-8")
    )
]
FRONTED: Final = (
    "Port {v} belongs to staging",
    "Port {v} is where the proxy listens",
    "{t} {n} is what we run",
    "{t} {n} is required by the build",
    "Version {n} of the SDK is in use",
    "Node {w} runs the build",
    "{w} days is how long backups are kept",
    "{w} workers serve the queue",
    "At most {w} retries are made by the mailer",
    "{t} {n} renders the app",
    "{w} approvals are needed for a merge",
)
LANGUAGES: Final = "Python React Django Go PostgreSQL Java".split()


def pairs() -> list[Pair]:
    """All of them, 1,411."""
    chance = random.Random(SEED)
    parts = (
        (260, _changed_value),
        (160, _other_subject),
        (160, _double_row),
        (120, _row),
        (160, _other_fact),
        (90, _announced),
        (130, _again),
    )
    made = [make(chance) for count, make in parts for _ in range(count)]
    made += [pair for rule in RULES for pair in _of_rule(*rule)]
    made += [_two_rules(chance) for _ in range(120)]
    made += [_value_in_front(chance) for _ in range(80)]
    return [pair for pair in made if pair.stored != pair.new]


def _said(sentence: str, subject: str, value: object) -> str:
    return _capital(sentence.format(s=subject, v=value))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _subject(chance: random.Random) -> str:
    which = chance.random()
    if which < 0.45:
        return chance.choice(ABOUT).format(chance.choice(NAMES))
    if which < 0.7:
        return chance.choice(IDENTIFIERS)
    if which < 0.9:
        kind, joint = chance.choice(NUMBERED), chance.choice([" ", " #", "-"])
        return f"{kind}{joint}{chance.randint(1, 400)}"
    return chance.choice(PLACES)


def _two(make: Callable[[], object]) -> tuple[object, object]:
    """Two that differ."""
    first = second = make()
    while second == first:
        second = make()
    return first, second


def _changed_value(chance: random.Random) -> Pair:
    fact = chance.choice(FACTS)
    subject = _subject(chance)
    old, new = _two(lambda: chance.choice(fact.values))
    said = [_said(fact.sentence, subject, value) for value in (old, new)]
    return Pair(said[0], said[1], "conflict", "value")


def _other_subject(chance: random.Random) -> Pair:
    fact = chance.choice(FACTS)
    one, other = _two(lambda: _subject(chance))
    values = chance.choice(fact.values), chance.choice(fact.values)
    said = _said(fact.sentence, str(one), values[0]), _said(fact.sentence, str(other), values[1])
    return Pair(*said, "new", "subject")


def _double_row(chance: random.Random) -> Pair:
    first, second = chance.sample(FACTS, 2)
    subjects = _two(lambda: _subject(chance))
    joint = chance.choice(JOINTS)
    said = [
        _said(first.sentence, str(subject), chance.choice(first.values))
        + joint
        + second.sentence.replace("{s}", "it").format(v=chance.choice(second.values))
        for subject in subjects
    ]
    return Pair(said[0], said[1], "new", "row")


def _row(chance: random.Random) -> Pair:
    kind, shape = chance.choice(LISTED), chance.choice(ROWS)
    numbers = chance.sample(range(1, 700), 2)
    said = [
        shape.format(k=kind, i=number, a=chance.randint(1, 99), b=chance.randint(1, 99))
        for number in numbers
    ]
    return Pair(said[0], said[1], "new", "row")


def _other_fact(chance: random.Random) -> Pair:
    first, second = chance.sample(FACTS, 2)
    subject = _subject(chance)
    said = [_said(fact.sentence, subject, chance.choice(fact.values)) for fact in (first, second)]
    return Pair(said[0], said[1], "new", "other")


def _announced(chance: random.Random) -> Pair:
    fact = chance.choice(FACTS)
    subject = _subject(chance)
    old, new = _two(lambda: chance.choice(fact.values))
    now = _said(fact.sentence, subject, new)
    plain = fact.sentence.format(s=subject, v=new)
    said = chance.choice(
        [
            f"{now} instead of {old}",
            f"{now}, not {old}",
            f"{now} now",
            f"Actually {plain}",
            f"{now} and no longer {old}",
            f"Correction: {plain}",
            f"{now} (was {old})",
            f"Since last week {plain}",
            _said(fact.sentence, subject, f"{new} since the migration from {old}"),
        ]
    )
    return Pair(_said(fact.sentence, subject, old), said, "conflict", "announced")


def _again(chance: random.Random) -> Pair:
    fact = chance.choice(FACTS)
    subject = _subject(chance)
    old = _said(fact.sentence, subject, chance.choice(fact.values))
    small = old[0].lower() + old[1:]
    reworded = old
    for words, others in REWORDED:
        reworded = reworded.replace(words, others)
    said = chance.choice(
        [
            chance.choice(OPENINGS) + small,
            f"{old}.",
            old.replace("The ", "Our ", 1),
            f"{old} (confirmed)",
            reworded,
            f"{old} by default",
            f"{old}, as before",
            f"It is still true that {small}",
        ]
    )
    return Pair(old, said, "reinforce", "again")


def _of_rule(rule: str, opposite: str, reworded: str) -> tuple[Pair, ...]:
    return (
        Pair(rule, opposite, "conflict", "rule"),
        Pair(opposite, rule, "conflict", "rule"),
        Pair(reworded, opposite, "conflict", "rule"),
        Pair(rule, reworded, "reinforce", "rule"),
        Pair(reworded, rule, "reinforce", "rule"),
    )


def _two_rules(chance: random.Random) -> Pair:
    (one, _, in_words), (other, _, in_other_words) = chance.sample(RULES, 2)
    said = chance.choice([one, in_words]), chance.choice([other, in_other_words])
    return Pair(*said, "new", "rules")


def _value_in_front(chance: random.Random) -> Pair:
    shape, language = chance.choice(FRONTED), chance.choice(LANGUAGES)
    versions = ("3.10", "4.2", "1.21", "16", "5.0"), ("3.11", "4.3", "1.22", "17", "5.1")
    counts = (2, 3, 5, 7, 14, 20), (4, 6, 8, 10, 16, 22)
    said = [
        shape.format(
            v=chance.randint(3000, 9000), t=language, n=chance.choice(version), w=chance.choice(few)
        )
        for version, few in zip(versions, counts, strict=True)
    ]
    return Pair(said[0], said[1], "conflict", "front")
