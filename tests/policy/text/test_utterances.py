"""What a text is as a piece of talk."""

import pytest

from actors.policy.text import utterances


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ruth: I moved to Oslo.", "ruth"),
        ("Note: the port is 80", ""),
        ("The port is 80", ""),
        ("shop convention: amounts are cents", "shop convent"),
    ],
)
def test_a_voice_is_the_label_unless_that_says_what_the_text_is(text: str, expected: str) -> None:
    assert utterances.voice(text) == frozenset(expected.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which port does it use?", True),
        ("The port. Is it open? I think so.", True),
        ("端口是多少？", True),
        ("I have a deadline in May, could you make a plan", True),
        ("Please help with the plan", True),
        ("The port is 80.", False),
        ("It asks for ?page=2 in the query", False),
        ("You can deploy on Fridays", False),
    ],
)
def test_a_question_or_a_request_asks(text: str, expected: bool) -> None:
    assert utterances.asks(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thanks, Ruth! I will.", True),
        ("Ruth: Hey Paul! Been busy.", True),
        ("Sounds good, let us do that.", True),
        ("No worries.", True),
        ("It works now. Thank you for that", True),
        ("You're very welcome, Ruth.", True),
        ("Thanks to the cache the page takes 20 ms", False),
        ("Nice values of 10 and more are used for the batch jobs", False),
        ("Never deploy on Fridays!", False),
        ("Great catching up! See you.", True),
        ("Nice, Ruth! You made it.", True),
        ("Nice level is 10.", False),
        ("OK status is 200, else 500", False),
        ("The thank you page is at /done", False),
        ("", False),
    ],
)
def test_a_reply_or_a_greeting_is_chatter(text: str, expected: bool) -> None:
    assert utterances.chats(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm so excited about the trip", True),
        ("Ruth: I am painting the fence", True),
        ("I've just finished the second chapter", True),
        ("Yesterday, I went to the lake", True),
        ("I was at the lake", True),
        ("I prefer tabs", False),
        ("I'm the maintainer of the parser", False),
        ("I used tabs", False),
        ("I need two reviewers", False),
        ("We moved to Oslo", False),
        ("I Walked There is a song", False),
    ],
)
def test_what_somebody_feels_or_did_is_told_from_what_holds(text: str, expected: bool) -> None:
    assert utterances.narrates(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On 5 May Ruth went to the dentist", True),
        ("The release was cut last Tuesday", True),
        ("The site was down two days ago", True),
        ("Releases happen on Tuesday", False),
        ("Ruth went to the dentist", False),
        ("The field may need an index", False),
    ],
)
def test_a_happening_has_a_past_and_a_date(text: str, expected: bool) -> None:
    assert utterances.happened(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The shop originally ran on Perl", True),
        ("The shop previously ran on Perl and now runs on Go", False),
        ("The shop runs on Go", False),
        ("Ruth is used to tabs", True),
        ("It is used to sending mail", False),
    ],
)
def test_what_only_was_is_told_from_what_changed(text: str, expected: bool) -> None:
    assert utterances.tells_only_of_before(text) is expected


CODE = """def area(width, height):
    # in square metres
    return width * height
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CODE, True),
        ("Call area(width, height) of shapes.py", False),
        ("- tabs\n- no trailing spaces\n- one class a file", False),
        ("", False),
    ],
)
def test_several_lines_full_of_brackets_are_code(text: str, expected: bool) -> None:
    assert utterances.is_code(text) is expected


def test_the_months_of_a_text_are_its_names_of_them() -> None:
    assert utterances.months("From March to May 3 we may march") == {"March", "May"}
