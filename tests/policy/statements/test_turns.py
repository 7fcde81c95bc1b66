"""What a prompt settles of what the agent put to the user."""

import pytest

from actors.policy.events.events import Event, EventKind
from actors.policy.events.fence import is_machine_made
from actors.policy.events.trail import MESSAGE, SessionTrail
from actors.policy.statements import claims, extraction
from actors.policy.statements.choices import question_of
from actors.policy.statements.turns import READ, settled
from tests.growth import too_fast

STORE = """I looked at both.

Where should the sessions of the web shop be stored?

1. **Redis** - shared by all workers, gone after a restart of `redis-server`
2. **A table of Postgres** (recommended) - survives, one more query a request
3. Cookies - nothing to run

Let me know."""
PLANS = """**Two execution options:**

**Option A: One worker per task** - reviewed in between
**Option B: All in one batch** - faster

Which approach?"""

CALLED = """### Option 1: Redis
- Pros: quick

### Option 2: A table of `pg`
- Pros: safe

**Plan:**
1. Write `store.py`
2. Test `store.py`

Shall I begin?"""


def kept(prompt: str, message: str = STORE) -> list[str]:
    return [draft.text for draft in settled(prompt, message)]


@pytest.mark.parametrize(
    ("prompt", "chosen"),
    [
        ("1", "Redis: shared by all workers, gone after a restart of `redis-server`."),
        ("option 1 please", "Redis: shared by all workers, gone after a restart of `redis-server`."),
        ("Let's go with redis", "Redis: shared by all workers, gone after a restart of `redis-server`."),
        ("ok, cookies", "Cookies: nothing to run."),
        (
            "let's go with the approach you recommended",
            "A table of Postgres: survives, one more query a request.",
        ),
        (
            "3. because we have no place to run anything else. Also fix the typo",
            "Cookies: nothing to run. Because we have no place to run anything else.",
        ),
        (
            "Option 3 sounds good, but only if they are signed",
            "Cookies: nothing to run. But only if they are signed.",
        ),
        (
            "1 and 3",
            "Redis: shared by all workers, gone after a restart of `redis-server`. Cookies: nothing to run.",
        ),
    ],
)  # fmt: skip
def test_a_choice_is_the_options_own_text_with_its_question(prompt: str, chosen: str) -> None:
    asked = "Asked “Where should the sessions of the web shop be stored?”, the user chose: "

    assert kept(prompt) == [asked + chosen]


def test_a_question_that_says_too_little_is_told_with_its_options() -> None:
    (text,) = kept("A", PLANS)

    assert text.startswith(
        "Asked “Two execution options: One worker per task or All in one batch?”"
    )
    assert text.endswith("the user chose: One worker per task: reviewed in between.")
    assert kept("yes, do both", PLANS)[0].endswith(
        "chose: One worker per task: reviewed in between. All in one batch: faster."
    )


def test_numbered_answers_are_kept_with_the_questions_that_they_number() -> None:
    message = (
        "Before I begin:\n\n1. **Place**: Shall `parse_day` live in `dates.py` or in `feed.py`? Both work.\n"
        "2. Should this be tested?\n3. **Zone**: Is the time zone of the feed `UTC`?\n4. Anything else?"
    )

    assert kept("1. dates.py\n2. yes\n3. what do you think?\n4. no", message) == [
        "Asked “Place: Shall `parse_day` live in `dates.py` or in `feed.py`?”, the user chose: dates.py."
    ]


def test_options_may_be_named_only() -> None:
    message = (
        "Does the pin of the image follow the manifest, or does it gate on it?\n\n"
        "- **Gate** - CI fails when they differ\n- **Follow** - the pin is written anew\n"
    )

    assert kept("follow, since nobody looks at a red run", message)[0].endswith(
        "the user chose: Follow: the pin is written anew. Since nobody looks at a red run."
    )


@pytest.mark.parametrize(
    "prompt",
    [
        "why option 1?",
        "is 2 faster?",
        "not option 3",
        "no, cookies are too small",
        "1 for now",
        "let's try 2 first",
        "4",
        "both",
        "12 workers would be fine",
        "a new branch please",
        "1. the page is empty\n2. the log says nothing",
        "run the tests",
        "2" + " and so on" * READ,
    ],
)
def test_what_takes_none_of_the_options_yields_nothing(prompt: str) -> None:
    assert kept(prompt) == []


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Done:\n1. **Parser** - rewritten\n2. **Lexer** - removed\n\nAll tests pass.",
        "What now?\n1. Commit and push\n2. Continue with the next task",
        "Which one?\n\n1. The first way\n2. The other way",
    ],
)
def test_a_list_that_is_no_choice_of_a_named_thing_yields_nothing(message: str) -> None:
    assert kept("1", message) == []


@pytest.mark.parametrize(
    ("message", "chosen"),
    [
        (CALLED, "Asked “Which one: Redis or A table of `pg`?”, the user chose: A table of `pg`."),
        (
            "Workable options:\n- Quickest: set `TTL=0` in `cache.toml`\n- Safest: drop the cache\n",
            None,
        ),
    ],
)
def test_plans_are_no_options_and_what_is_called_an_option_is(
    message: str, chosen: str | None
) -> None:
    assert kept("let's go with option 2", message) == ([chosen] if chosen else [])


@pytest.mark.parametrize("word", ["yes please", "Yes, and thanks.", "sounds good", "lgtm"])
def test_a_yes_is_kept_with_a_proposal_that_lasts(word: str) -> None:
    question = "Should every task of a plan in Linear be test-first throughout?"

    assert kept(word, f"You are right about the plan.\n\n**{question}**") == [
        f"Asked “{question}”, the user chose: Yes."
    ]
    assert kept("no.", question) == [f"Asked “{question}”, the user chose: No."]


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("yes", "Want me to commit this?"),
        ("yes please", "Should I create the branch?"),
        ("sure", "Should we do it like that instead of this?"),
        ("yes", "I renamed the module `cache`."),
        ("no way that is true", "Should the port of the proxy always be 8443?"),
        ("right now it is 9000", "Should the port of the proxy always be 8443?"),
    ],
)
def test_a_yes_to_the_next_step_or_to_what_is_not_named_yields_nothing(
    prompt: str, message: str
) -> None:
    assert kept(prompt, message) == []


def after(*events: Event) -> extraction.Extraction:
    found = extraction.Extraction((), SessionTrail())
    for event in events:
        found = extraction.extracted(event, found.trail, is_machine_made)
    return found


def said(kind: EventKind, text: str = "") -> Event:
    return Event("claude", kind, "s", prompt=text, message=text)


def test_the_agents_last_message_is_kept_until_the_next_prompt() -> None:
    found = after(said(EventKind.TURN_END, STORE), said(EventKind.PROMPT, "1"))

    assert [(one.rule, one.origin.value) for one in found.candidates] == [("answer", "user")]
    assert found.trail.message == ""
    assert not after(
        said(EventKind.TURN_END, STORE), said(EventKind.PROMPT, "wait"), said(EventKind.PROMPT, "1")
    ).candidates


def test_what_a_subagent_says_last_is_not_what_the_user_answers() -> None:
    found = after(said(EventKind.TURN_END, STORE), said(EventKind.SUBAGENT_END, PLANS))

    assert found.trail.message == STORE


def test_a_session_that_ended_is_resumed_with_an_answer() -> None:
    events = said(EventKind.TURN_END, STORE), said(EventKind.SESSION_END)

    assert after(*events, said(EventKind.PROMPT, "2")).candidates


def test_of_a_long_message_the_end_is_kept() -> None:
    found = after(said(EventKind.TURN_END, "x" * MESSAGE + STORE))

    assert found.trail.message.endswith(STORE)
    assert len(found.trail.message) == MESSAGE


def test_a_decision_is_known_by_its_question() -> None:
    first, second = kept("1")[0], kept("cookies")[0]

    assert question_of(first) == question_of(second)
    assert claims.current_subject(first) == claims.current_subject(second) is not None
    assert claims.current_subject(kept("A", PLANS)[0]) != claims.current_subject(first)


def test_a_hostile_message_or_answer_costs_what_its_length_does() -> None:
    offers = (
        "1. **",
        "- **a",
        "Option a: ",
        "? ",
        "1. a\n",
        "**",
        "1. x?\n2. y?\n",
        "lean to doing ",
    )
    answers = ("go with ", "yes, ", "do it ", "option ", "1 and ", "let's do ")

    assert not too_fast(lambda text: settled("yes, option 2 please", text), offers, 16_384)
    assert not too_fast(lambda text: settled(text, STORE), answers, READ)
