"""What a session is told of captures (H07, H09): one line."""

from __future__ import annotations

from actors.policy.session.reporting import reported

TEST = ("7-test_fixed", "test_fixed", "pytest tests/a.py passes again")
FLAG = ("8-user_flag", "user_flag", "the user asked to remember it")


def test_h09_nothing_captured_says_nothing() -> None:
    assert reported([]) == ""


def test_h09_one_moment_is_named() -> None:
    assert reported([TEST]) == (
        "Since your last session 1 earlier note was kept as important:"
        " because pytest tests/a.py passes again."
    )
    assert reported([TEST, TEST]).startswith(
        "Since your last session 2 earlier notes were kept as important: because pytest"
    )


def test_h09_several_moments_are_counted_in_their_order() -> None:
    assert reported([FLAG, TEST, TEST]) == (
        "Since your last session 3 earlier notes were kept as important:"
        " 1 because the user asked to remember it and 2 because pytest tests/a.py passes again."
    )


def test_h09_moments_of_one_reason_are_told_together() -> None:
    again = ("9-user_flag", *FLAG[1:])

    assert reported([FLAG, TEST, again]) == (
        "Since your last session 3 earlier notes were kept as important:"
        " 2 because the user asked to remember it and 1 because pytest tests/a.py passes again."
    )
    assert reported([FLAG, again]).endswith("important: because the user asked to remember it.")


def test_h09_more_than_three_moments_are_counted_together() -> None:
    many = [(f"{number}-revert", "revert", f"git revert {number}") for number in range(5)]

    assert "git revert 2, and others at 2 more moments." in reported(many)
    assert "git revert 3" not in reported(many)
    assert "at 1 more moment." in reported(many[:4])


def test_h09_an_erased_reason_leaves_the_kind_and_a_long_one_is_cut() -> None:
    long = reported([("1-revert", "revert", "git checkout -- " + "a/b " * 99)])

    assert "because of a moment (test fixed)" in reported([("7", "test_fixed", "")])
    assert len(long) < 200
    assert "\n" not in reported([("1", "revert", "git\nrevert")])
