"""What a text is as a piece of talk."""

import pytest

from actors.policy.text import speech
from actors.policy.text.speech import (
    MEANINGS,
    NOTE,
    QUALIFIERS,
    asks_of_past,
    asks_outright,
    label,
    meaning,
    named,
    of_one_kind,
    opposed,
    tells_of_past,
)


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
    assert speech.voice(text) == frozenset(expected.split())


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
    assert speech.asks(text) is expected


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
    assert speech.chats(text) is expected


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
    assert speech.narrates(text) is expected


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
    assert speech.happened(text) is expected


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
    assert speech.tells_only_of_before(text) is expected


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
    assert speech.is_code(text) is expected


def test_the_months_of_a_text_are_its_names_of_them() -> None:
    assert speech.months("From March to May 3 we may march") == {"March", "May"}


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("Melanie: I signed up.", {"melani"}),
        ("claude_mem convention: Use null objects.", {"claud", "mem", "convent"}),
        ("Łukasz: podpisałem.", {"łukasz"}),
        ("No colon in it", set[str]()),
        ("def paste(xsel=False): return 1", set[str]()),
        ("https://example.org is down", set[str]()),
        ("at 12:30 we met", set[str]()),
        ("this is a sentence of many words that ends here: so", set[str]()),
        ("", set[str]()),
    ],
)
def test_a_label_stands_before_the_first_colon(text: str, stems: set[str]) -> None:
    assert label(text) == stems


def test_a_label_is_named_and_a_name_in_the_text_is_none() -> None:
    asked = {"melani", "paint"}

    assert named(asked, "Melanie: I painted it.") == 1.0
    assert named(asked, "Caroline: Melanie painted it.") == 0.0


def test_a_label_that_is_named_in_part_lifts_in_part() -> None:
    assert named({"shop"}, "shop convention: cents") == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "The API originally used cookie sessions.",
        "Redis was replaced by Valkey in March.",
        "We used to deploy from a laptop.",
        "The v1 endpoint is deprecated.",
        "Login no longer needs a password.",
    ],
)
def test_a_note_that_tells_how_it_was_is_noticed(text: str) -> None:
    assert tells_of_past(text)


@pytest.mark.parametrize(
    "text",
    [
        "The API uses JWT.",
        "The profiler is used to testing slow queries.",
        "Deploy on Fridays is forbidden.",
        "Replace the token every week.",
    ],
)
def test_a_note_about_the_present_is_left_alone(text: str) -> None:
    assert not tells_of_past(text)


def test_a_long_text_is_about_more_than_the_past() -> None:
    text = "The API originally used cookies. " + "It is a service of many parts. " * 20

    assert len(text) > NOTE
    assert not tells_of_past(text)


@pytest.mark.parametrize("query", ["What did we use before?", "How has the login evolved?"])
def test_a_question_about_the_past_is_noticed(query: str) -> None:
    assert asks_of_past(query)


@pytest.mark.parametrize("query", ["What does the API use?", "which port is staging on"])
def test_a_question_about_now_is_not(query: str) -> None:
    assert not asks_of_past(query)


@pytest.mark.parametrize(
    "prompt",
    [
        "Why is the cache in front of the upstream?",
        "hmm, what did we decide about the cache?",
        "The test is red. Is that because of the cache?",
        "ok so where does cache.py keep its keys? then add one",
        "Isn't the cache Redis?",
        "On which branch does the work belong?",
        "Should the cache be emptied before a deploy?",
        "Am I allowed to empty the cache?",
        "can I add a cache?",
    ],
)
def test_a_question_asks_outright(prompt: str) -> None:
    assert asks_outright(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Can you add a cache?",
        "could you tell me more?",
        "please fix what is broken",
        "move the cache. thanks!",
        "Why not",
        "",
    ],
)
def test_neither_an_order_nor_a_nod_does(prompt: str) -> None:
    assert not asks_outright(prompt)


# ---- words that mean the same, exclude each other, or are of one kind


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("small", "tiny", True),
        ("deleting", "removed", True),
        ("repo", "repositories", True),
        ("k8s", "kubernetes", True),
        ("enabled", "disabled", False),
        ("redis", "kafka", False),
    ],
)
def test_words_that_mean_the_same_have_one_meaning(one: str, other: str, same: bool) -> None:
    assert (meaning(one) == meaning(other)) is same


def test_a_meaning_stands_for_itself() -> None:
    assert all(MEANINGS.get(shared, shared) == shared for shared in MEANINGS.values())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("enabled", "disabled", True),
        ("activated", "disable", True),
        ("before", "after", True),
        ("after", "before", True),
        ("before", "before", False),
        ("red", "blue", False),
    ],
)
def test_opposites_exclude_each_other_both_ways(one: str, other: str, expected: bool) -> None:
    assert opposed(meaning(one), meaning(other)) is expected


def test_no_word_is_the_opposite_of_itself() -> None:
    assert not any(opposed(shared, shared) for shared in MEANINGS.values())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("npm", "pnpm", True),
        ("postgres", "mysql", True),
        ("postgres", "postgresql", False),
        ("npm", "monday", False),
        ("npm", "anything", False),
    ],
)
def test_values_of_one_kind_replace_each_other(one: str, other: str, expected: bool) -> None:
    assert of_one_kind(meaning(one), meaning(other)) is expected


def test_staging_and_production_say_which_thing_is_meant() -> None:
    assert {meaning("staging"), meaning("prod"), meaning("production")} <= QUALIFIERS
