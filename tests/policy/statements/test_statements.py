"""Statements of prompts: the table has what people type, kept or not; and what holds for every session."""

import pytest

from actors.policy.statements.statement_rules import RULE_FORMS, is_for_every_session
from actors.policy.statements.statements import MOST, Statement, kind_of_kept, statements
from actors.policy.text.turn import Turn
from tests.tables import rows


def only(prompt: str) -> Statement:
    (found,) = statements(Turn(prompt))
    return found


KEPT = rows(__file__, "kept")
# How things are is in the repository; said against something known, it corrects that. What real sessions had
# and is junk to a reader of them stands among these.
NOT_KEPT = rows(__file__, "not_kept")


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
    rows(__file__, "what_a_person_keeps_is_a_rule_or_a_wish_where_it_is_said_as_one"),
)
def test_what_a_person_keeps_is_a_rule_or_a_wish_where_it_is_said_as_one(
    text: str, kind: str
) -> None:
    assert kind_of_kept(text) == kind


# ---- ways of working: told at the start of any session, or of one feature


@pytest.mark.parametrize(
    ("text", "wish", "told"),
    [
        ("Avoid duplicating code, when needed move it to another module.", True, True),
        ("We should be using the strong types instead of string wherever we can.", True, True),
        ("Use test:e2e:debug when selectors aren't working as expected.", True, True),
        ("Do not store generated PDF files.", False, True),
        ("Never edit the seeds.", False, True),
        ("There must never be parallel versions of the code.", False, True),
        ("The resume action should be a peer of download and delete.", True, False),
        ("We need to make our own plan for undo in docs/plans/undo.md.", True, False),
        ("Keep focusing on deployment and config issues.", True, False),
        ("Use the review command no review the code as a fix for issue 266.", True, False),
        ("Not on the layer being added, but always on the oldest one.", True, False),
        ("In the plan, never forget the migration.", False, False),
        ("Keep the padding for the play button as it is in the file.", True, False),
        ("Always show all options of the model.", False, False),
        ("Never executes the defaulting code.", False, False),
        ("Always in the .gitignore.", False, False),
        ("When adding tests and when you need.", True, False),
        ("Never for the current file).", False, False),
        ("Keep the tests beside the code), then go on.", True, False),
        ("Keep the tests beside the code (as in the parser.", True, False),
        ("I'd like to add tests in the future.", False, False),
        ("Don't change the code, just let me know.", False, False),
        ("I prefer trout to salmon.", False, False),
        ("I'd rather we simply export the selector.", False, False),
        (
            f"Never edit the seeds, {'because they are read at each start, ' * 4}always.",
            False,
            False,
        ),
    ],
)
def test_the_page_of_a_session_has_the_rules_of_any_session(
    text: str, wish: bool, told: bool
) -> None:
    assert is_for_every_session(text, wish=wish) is told
