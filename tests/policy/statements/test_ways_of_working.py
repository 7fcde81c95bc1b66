"""Ways of working: what is told at the start of any session, and what is of one feature."""

import pytest

from actors.policy.statements.statement_rules import is_for_every_session


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
