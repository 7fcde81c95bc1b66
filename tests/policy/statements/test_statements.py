"""What a prompt states: the table is what people type, kept or not."""

import pytest

from actors.policy.statements.statement_rules import RULE_FORMS
from actors.policy.statements.statements import MOST, Statement, kind_of_kept, statements
from actors.policy.text.turn import Turn


def only(prompt: str) -> Statement:
    (found,) = statements(Turn(prompt))
    return found


KEPT = [
    ("We decided to use PostgreSQL 16 because we need JSONB.", "decision"),
    ("we agreed with the design team that modals are never nested", "decision"),
    ("we're going to stick with REST for v1", "decision"),
    ("I've decided to go with server-side rendering", "decision"),
    ("Please don't ever run the seed script against staging", "convention"),
    ("no, use opkg here, apt is not there", "correction"),
    ("The legacy importer is deprecated, use ingest-v2 instead of it", "decision"),
    ("FYI: the payments team owns the billing module", "remember"),
    ("note: CI runs on GitHub Actions with Python 3.12 only", "remember"),
    ("remember to always bump the version when you touch the API", "remember"),
    ("let's stick to pnpm", "decision"),
    ("we've standardised on ruff", "decision"),
    ("answer in German please", "preference"),
    ("the preview env is torn down every night, keep that in mind", "remember"),
    ("no, don't use apt here, always use opkg", "correction"),
]
NOT_KEPT = [
    # How things are is in the repository, or a passage; said against something known, it corrects that.
    "We use yarn in this project.",
    "Our API is written in Go and deployed on Fly.io.",
    "Marta owns the billing service.",
    "no, the staging database is on port 5433",
    "going with Fly.io for hosting",
    # Kept of real sessions once, and junk to a reader of them.
    ".env.local is all set.",
    "Here is the link: https://github.com/kiln/new-kiln-project?tab=readme.",
    "Both are `~/.kiln/tmp/my-project`.",
    "Only output in the logs is this: [debug] HANDLE EVENT save in KilnWeb.PriceList.",
    "(Kiln.Query.CompileError) binding list should contain only variables or `{as, var}` tuples.",
    "Consider using a capture group for the tag name and a non-greedy match for `content`.",
    "Use in servers, functions, workers or other backend components of your application.",
    "For 3 drop utc, we decided that in dev drop the local checkAndWarn.",
    "We don't want @../pkg/kiln/text_utils.go for the same reason, same resolution.",
    "Each one should have prose too, describing what the options are that appear in the table.",
    "Keep going and work through all the checks.",
    "Let's stay laser focused on the test where we send a single message to `kiln`.",
    "Please use standard terms and come up with a few checks for me to review.",
    "We don't want a cap.",
    "python check if directory is writable",
    "connect to python ftp server host",
    "nope, that flag is gone, it's --jobs now",
    "let's go with option 3",
    "",
    "no",
    "continue",
    "🎉🎉",
    "run the tests",
    "fix this bug please",
    "Hello Claude! Can you help me understand how Python decorators work?",
    "why does the login page always return 500?",
    "add a button to the settings page that exports the data",
    "The build is failing on main, can you look?",
    "let's use the debugger to see why it hangs",
    "I think the port is 5433 but I'm not sure",
    "remember when we changed the parser",
    "remember this",
    "remember the milk",
    "don't forget to add tests",
    "The button is too small and the label is wrong",
    "Never mind",
    "Always a pleasure",
    "always happy to help",
    "never seen that before",
    "I want a function that parses dates and returns ISO strings",
    "if the port is 5433 then use the staging config",
    "The error is ECONNREFUSED 127.0.0.1:5432",
    "don't do that",
    "Traceback (most recent call last):\n  File \"app.py\", line 3\nKeyError: 'x'",
    "Implement the endpoint POST /users which returns 201",
    "wait, what is the database host in production?",
    "we have a bug in the login page, the token is null after refresh",
    "update the README to say we use Python 3.12",
    "Actually, can you rename it to parse_config?",
    "Use the existing helper in utils.py instead of writing a new one",
    "can we use redis instead of memcached for this?",
    "Explain why we never hit the cache in get_user",
    "is the API using port 8080?",
    "no tests please",
    "it's on the left side, not the right",
    "the API returns a list of users, each user has an id and a name",
    "The service means well and it works",
    "this stands for nothing in particular",
    "We use Postgres for now",
    "We use it",
    'Tom wrote: "let\'s stick to webpack".',
    "Tom said we never use vite",
    "the docs say you must always call close()",
    "add a banner saying we're dropping support for IE",
    "make sure the text explains why we never store cards",
    "pretend that we always deploy from main",
    "in theory we never lose data",
    "let's use port 8081 then",
    "let's keep going",
    "let's switch to the main branch",
    "we're on step 3 now",
    "we went with the kids to the park",
    "so we use pnpm, right",
    "blue, not green",
    "use red not blue",
    "please don't add more tests",
    "do not change the PRD",
    "Do not write implementation code.",
    "Let's start with the section on goals",
    "We also need to add orders.name into the index table",
    "keep them in `cache.db`, so we can look at them",
    "the undo of a layer does not always work",
    "(Ecto.Query.CompileError) binding list should contain only variables",
    "it crashes because of your edit in app.py",
    "RuntimeError: always use asyncio.run, never loop.run_until_complete",
    "for the record, I'm annoyed",
    "that file is gone, it's broken now",
]


@pytest.mark.parametrize(("prompt", "rule"), KEPT)
def test_a_statement_is_kept_by_its_rule(prompt: str, rule: str) -> None:
    assert only(prompt).rule.id == rule


NEAR = [one.but_not for rows in RULE_FORMS.values() for one in rows]


@pytest.mark.parametrize("prompt", NOT_KEPT + NEAR)
def test_orders_questions_and_chatter_are_not_kept(prompt: str) -> None:
    assert statements(Turn(prompt)) == []


def test_preferences_and_identity_are_the_users_own() -> None:
    assert only("I prefer short functions").rule.user_scope
    assert only("call me Sam").rule.user_scope
    assert not only("use tabs instead of spaces").rule.user_scope


def test_a_standing_rule_is_found_inside_a_task() -> None:
    found = only("Please add a CSV exporter to app.py and never push to main directly.")

    assert found.text == "Never push to main directly."


def test_a_statement_is_found_before_a_question() -> None:
    found = only("I've decided to use the Hemingway Editor, but I'm not sure how, can you help?")

    assert found.text == "I've decided to use the Hemingway Editor."


def test_a_correction_loses_its_no_and_ranks_higher() -> None:
    found = only("No, never use mocks in the integration tests")

    assert found.text == "Never use mocks in the integration tests."
    assert (found.rule.id, found.rule.kind) == ("correction", "convention")
    assert found.rule.importance > only("Never use mocks in the tests").rule.importance


def test_a_correction_may_stand_in_the_next_sentence() -> None:
    found = only("That's wrong. We decided to keep the auth service out of the gateway.")

    assert found.rule.id == "correction"
    assert found.text.startswith("We decided to keep")


def test_a_last_remark_that_points_elsewhere_is_left_out() -> None:
    found = only("keep functions under 40 lines, our reviewers insist on that")

    assert found.text == "Keep functions under 40 lines."
    assert statements(Turn("we use pnpm, unless the reviewers insist on that")) == []


def test_a_quotation_in_ones_own_statement_stays() -> None:
    assert only('Decision: the empty page shows "no results found yet"').text == (
        'Decision: the empty page shows "no results found yet".'
    )


def test_a_brief_order_corrects() -> None:
    found = only("no, use uv")

    assert (found.text, found.rule.kind) == ("Use uv.", "decision")
    assert statements(Turn("use uv")) == []


def test_what_is_remembered_keeps_its_kind() -> None:
    found = only("remember that we decided to use pnpm")

    assert (found.rule.id, found.rule.kind, found.rule.importance) == ("remember", "decision", 0.9)
    assert only("note this: Friday is a holiday for Alice").rule.kind == "fact"
    assert only("remember that I'm allergic to YAML files").rule.id == "remember"


def test_a_reason_in_the_next_sentence_is_kept_with_its_statement() -> None:
    found = only("Use tabs instead of spaces. Because gofmt does. Then fix the test.")

    assert found.text == "Use tabs instead of spaces. Because gofmt does."
    asked = only("Use tabs instead of spaces. Because of what?")
    assert asked.text == "Use tabs instead of spaces."


def test_the_same_statement_counts_once_and_five_are_enough() -> None:
    assert len(statements(Turn("Use tabs instead of spaces. Use tabs instead of spaces."))) == 1
    many = " ".join(f"Always run step_{i} first." for i in range(9))
    assert len(statements(Turn(many))) == MOST


def test_what_was_pasted_states_nothing_for_the_user() -> None:
    log = "$ npm test\nI prefer short functions.\nOur API is deployed on Fly.io."

    assert statements(Turn(log)) == []
    assert only(f"I prefer short functions.\n\n{log}").rule.id == "preference"
    assert statements(Turn("Our API is deployed on Fly.io. " * 500)) == []


def test_a_trailing_courtesy_is_dropped() -> None:
    assert only("I always use vim keybindings, keep that in mind").text == (
        "I always use vim keybindings."
    )


def test_a_statement_begins_with_what_it_is_about() -> None:
    remembered = only("remember also the cache of staging is shared")

    assert remembered.text == "The cache of staging is shared."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Never push to main.", "convention"),
        ("Never `git push --force` here.", "convention"),
        ("Always start the proxy first.", "convention"),
        ("Do not edit vendor/legacy.", "convention"),
        ("Don't touch the tests. They are generated.", "convention"),
        ("Use uv, not pip.", "convention"),
        ("use the staging database, never production", "convention"),
        ("I prefer short functions.", "preference"),
        ("The database port is 5433.", "fact"),
        ("We never deploy on Fridays.", "fact"),
        ("Always happens when the cache is cold.", "fact"),
        ("It never worked with Python 3.9.", "fact"),
        ("Don't use sqlite for now.", "fact"),
        ("Do not forget: the cluster moves on Monday.", "fact"),
        ("Never touch this file.", "fact"),
        ("", "fact"),
    ],
)
def test_what_a_person_keeps_is_a_rule_or_a_wish_where_it_is_said_as_one(
    text: str, kind: str
) -> None:
    assert kind_of_kept(text) == kind
