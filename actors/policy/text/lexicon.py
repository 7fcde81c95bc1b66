"""Words that mean the same, words that exclude each other, and words of one kind.

What a cosine cannot tell apart: "enabled" and "disabled" lie as close as "enabled" and "switched
on". A small list made by hand, for comparing two short notes word by word (what it is
worth is measured in docs/adr/0007). Words are given and looked up under their stems.

A word has one meaning here at most: a list that knew every sense of "run" would call too much
alike. Kinds hold words of which one replaces the other when the rest of a sentence stays
(a package manager, a colour); words that only say which of several things is meant
(staging, production) have a list of their own.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from actors.policy.text.words import stem

_SAME: Final = """
    small little tiny miniature
    big large huge enormous giant
    happy glad joyful delighted cheerful pleased
    sad unhappy
    fast quick rapid speedy
    begin start commence
    end finish conclude
    stop halt cease
    cut slice chop
    child kid youngster
    woman lady
    man guy gentleman
    person someone somebody
    road street
    rock stone
    boat ship
    bicycle bike
    picture photo photograph image
    talk speak chat
    say tell state
    jump leap hop
    look stare gaze
    big sizable
    hold grasp
    ride cycle
    rest relax lounge
    shout yell scream
    buy purchase
    build construct
    fix repair mend
    choose select pick
    show display
    also additionally too
    almost nearly
    often frequently
    near close nearby
    automobile car
    autumn fall
    movie film
    attorney lawyer
    doctor physician
    repository repo
    database db
    configuration config configure settings
    directory folder dir
    environment env
    application app
    production prod
    development dev
    delete remove erase drop
    create make generate
    modify change alter
    error failure fault
    bug defect
    function method routine
    argument parameter param
    documentation docs doc
    dependency dependencies dep deps
    authentication auth authenticate login signin
    administrator admin
    kubernetes k8s
    postgresql postgres pg
    javascript js
    typescript ts
    python py
    golang go
    mongodb mongo
    elasticsearch elastic
    use utilize utilise employ
    need require
    must shall
    deploy ship release
    run execute
    verify check validate
    allow permit
    forbid prohibit disallow deny ban
    enable activate
    disable deactivate
    increase raise
    decrease reduce lower
    mandatory required obligatory
    maximum max
    minimum min
    seconds sec s
    minutes mins
    milliseconds ms
    megabytes mb
    gigabytes gb
    key-value kv
    colleague coworker teammate
    website site
    mistake slip
    whole entire complete
    about approximately roughly around circa
    """

_OPPOSITE: Final = """
    big/small large/little long/short tall/short high/low wide/narrow thick/thin heavy/light
    happy/sad glad/unhappy good/bad best/worst better/worse right/wrong correct/incorrect
    true/false yes/no fast/slow early/late first/last old/new old/young before/after
    begin/end start/finish open/close opened/closed in/out up/down upstairs/downstairs
    above/below over/under inside/outside indoors/outdoors indoor/outdoor near/far front/back
    left/right top/bottom north/south east/west clean/dirty full/empty hot/cold warm/cool
    wet/dry dark/light bright/dark loud/quiet noisy/silent hard/soft rough/smooth strong/weak
    rich/poor cheap/expensive alive/dead awake/asleep day/night morning/evening male/female
    man/woman boy/girl push/pull give/take buy/sell win/lose arrive/leave enter/exit rise/fall
    climb/descend lift/drop increase/decrease accept/reject allow/forbid enable/disable
    add/remove create/delete keep/discard keep/delete real/mock real/fake parallel/sequential
    serial/parallel concurrent/sequential green/red green/broken working/broken passing/failing include/exclude attach/detach lock/unlock
    install/uninstall connect/disconnect encrypt/decrypt encode/decode compress/decompress
    show/hide visible/hidden public/private internal/external local/remote
    sync/async synchronous/asynchronous manual/automatic manually/automatically static/dynamic
    required/optional mandatory/optional always/never all/none everybody/nobody
    everyone/nobody everything/nothing something/nothing somebody/nobody
    with/without on/off online/offline safe/unsafe stable/unstable valid/invalid
    possible/impossible mutable/immutable strict/lenient sorted/unsorted signed/unsigned
    ascending/descending uppercase/lowercase tab/space vertical/horizontal maximum/minimum
    more/less many/few most/least stand/sit standing/sitting stand/lie walk/run asleep/awake
    pass/fail success/failure succeed/fail approve/decline merge/split read/write
    import/export upload/download send/receive lead/follow love/hate like/dislike
    smile/frown laugh/cry work/rest same/different equal/unequal single/married
    single/double singular/plural monolith/microservices squash/rebase client/server
    """

_KINDS: Final = """
    black white red blue green yellow orange purple pink brown grey gray beige blond tan
    monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december
    morning noon afternoon evening midnight
    spring summer autumn winter
    hourly daily nightly weekly monthly quarterly yearly
    postgresql mysql mariadb sqlite mongodb dynamodb cassandra couchdb oracle cockroachdb redis
    npm yarn pnpm bun
    pip poetry uv pipenv conda
    jest vitest mocha jasmine ava
    pytest unittest nose
    rspec minitest
    cypress playwright selenium puppeteer
    react vue angular svelte solid
    django flask fastapi
    rails sinatra
    python ruby java kotlin golang rust javascript typescript php scala elixir perl swift
    webpack vite rollup esbuild parcel
    aws azure gcp heroku vercel netlify railway
    kafka rabbitmq nats sqs activemq
    make bazel gradle maven cmake ninja
    black ruff flake8 pylint
    eslint biome tslint
    mypy pyright
    rest graphql grpc soap
    jwt cookie session oauth saml
    json yaml toml xml ini csv
    github gitlab bitbucket
    jira linear trello asana
    slack teams discord email
    nginx apache caddy traefik
    main master trunk
    http https
    linux windows macos
    ubuntu debian alpine fedora
    mit apache2 gpl bsd
    utc cet est pst
    vim emacs vscode
    kitchen bathroom bedroom classroom garage basement attic library
    wood brick plastic metal glass concrete steel leather cotton
    water coffee tea beer wine juice milk vodka whiskey tequila champagne soda
    guitar piano violin drum flute trumpet cello saxophone harp banjo accordion
    football soccer basketball baseball tennis hockey golf rugby volleyball cricket
    potato tomato carrot onion cucumber cabbage lettuce spinach broccoli pepper
    apple banana orange pear grape lemon peach
    dog cat horse cow sheep goat pig rabbit monkey bird fish
    car bus truck train bicycle motorcycle plane boat
    shirt dress jacket sweater coat hat
    france germany spain italy portugal england china japan india russia canada mexico brazil
    french german spanish italian portuguese english chinese japanese indian russian american thai
    mother father brother sister son daughter uncle aunt
    """

# Tools and formats by what they are for. Words of every day stay out: drizzle, moment, unleash.
_TOOLS: Final = """
    typeorm sequelize prisma knex sqlalchemy hibernate
    redux mobx zustand recoil jotai pinia vuex ngrx
    winston pino bunyan loguru structlog logback log4j zerolog
    elasticsearch opensearch solr meilisearch typesense algolia
    memcached valkey hazelcast
    docker podman containerd
    kubernetes nomad ecs openshift
    terraform opentofu pulumi cloudformation
    jenkins buildkite circleci teamcity travis argocd spinnaker
    sentry rollbar bugsnag
    prometheus influxdb graphite victoriametrics
    grafana kibana datadog newrelic
    sendgrid mailgun postmark mailchimp
    paypal adyen braintree
    auth0 okta keycloak cognito
    launchdarkly flagsmith growthbook
    jpeg jpg png webp gif svg avif tiff
    mp4 webm mkv
    h264 h265 hevc av1 vp9
    md5 sha1 sha256 sha512 blake2
    bcrypt argon2 argon2id scrypt pbkdf2
    sftp ftp scp rsync
    websockets sse webhooks
    dockerhub ghcr ecr gcr quay artifactory
    opsgenie pagerduty
    sphinx mkdocs docusaurus
    alembic flyway liquibase
    celery sidekiq bullmq resque dramatiq
    lerna nx turborepo
    mapbox leaflet openlayers
    echarts highcharts plotly
    protobuf avro thrift msgpack
    gzip brotli zstd lz4
    s3 gcs minio backblaze
    dayjs luxon datefns
    uuid uuidv4 uuidv7 ulid ksuid
    gunicorn uvicorn hypercorn
    tailwind bootstrap bulma
    zsh bash powershell
    chrome firefox safari
    notion confluence
    """

# Which of several things of a project is meant: another one is another fact, not another value.
_QUALIFIERS: Final = """
    staging production prod development dev test testing preview sandbox local ci qa
    frontend backend client server api web mobile desktop ios android
    primary secondary replica read write internal external public private
    left right front back upper lower first second third next previous
    """


def _groups(lines: Iterable[str]) -> Mapping[str, str]:
    """Each word's stem to one stem for its group; a word keeps the first group it is in."""
    found: dict[str, str] = {}
    for line in lines:
        words = [stem(word) for word in line.split()]
        shared = found.get(words[0], words[0])
        for word in words:
            found.setdefault(word, shared)
    return found


MEANINGS: Final = _groups(_SAME.strip().splitlines())
"""Stems of words that share a meaning, to one stem that stands for all of them."""


def meaning(word: str) -> str:
    """The stem that stands for all words that mean the same as ``word`` (lower case)."""
    bare = stem(word)
    return MEANINGS.get(bare, bare)


def meanings(words: str) -> frozenset[str]:
    """The meanings of these words."""
    return frozenset(map(meaning, words.split()))


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for pair in text.split():
        one, other = (meaning(word) for word in pair.split("/"))
        found |= {(one, other), (other, one)}
    return frozenset(found)


def _kinds(text: str) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.strip().splitlines()):
        for word in line.split():
            found.setdefault(meaning(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


_OPPOSITES: Final = _pairs(_OPPOSITE)
_KIND_OF: Final = _kinds(_KINDS + _TOOLS)
TOOLS: Final = meanings(_TOOLS)
"""Meanings that name a tool or a format, written small or not."""
_NONE: Final[frozenset[int]] = frozenset()
QUALIFIERS: Final = meanings(_QUALIFIERS)
"""Meanings that say which of several things is meant."""


def opposed(one: str, other: str) -> bool:
    """Return whether two meanings exclude each other: enabled and disabled, before and after."""
    return (one, other) in _OPPOSITES


def kin(words: Iterable[str]) -> frozenset[str]:
    """The meanings of every kind that one of these words is of, themselves among them."""
    kinds = frozenset[int]().union(*(_KIND_OF.get(meaning(word), _NONE) for word in words))
    return frozenset(word for word, own in _KIND_OF.items() if own & kinds)


def of_one_kind(one: str, other: str) -> bool:
    """Return whether two different meanings are values of one kind: npm and pnpm, red and blue."""
    return one != other and not _KIND_OF.get(one, _NONE).isdisjoint(_KIND_OF.get(other, _NONE))
