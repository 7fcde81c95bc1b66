"""What a text names of a project."""

import pytest

from actors.policy.references.naming import (
    alone,
    candidates,
    is_secret,
    joined,
    members,
    named,
    references,
    relative,
)
from actors.policy.references.references import Reference, State
from actors.policy.references.symbols import digest

PROJECT = "/home/ada/shop"
PAY = "LIMIT = 3\n\ndef charge(bill):\n    return bill\n"


def symbols_of(said: str, text: str) -> list[str]:
    """Symbols said of a file, in the order of the text."""
    return [one.symbol for one in references(named(said, PROJECT), {"src/pay.py": text})]


def test_files_lines_and_symbols_are_named() -> None:
    text = (
        "Never call `charge` twice, see src/pay.py:3 and ./src/bill.ts: MAX_RETRIES is 3,"
        " PayService.refund() may."
    )

    found = named(text, PROJECT)

    assert dict(found.files) == {"src/pay.py": 3, "src/bill.ts": None, "PayService.refund": None}
    assert found.symbols == ("charge", "MAX_RETRIES", "PayService.refund")


def test_a_name_in_ruby_may_end_in_a_mark_and_a_package_has_many_parts() -> None:
    ruby = named("`valid?` is slow and save_all! is not. Is it pay_late?", PROJECT)
    java = named("org.shop.bills.Bill.charge() is slow", PROJECT)

    assert ruby.symbols == ("valid?", "valid", "save_all!", "save_all", "pay_late?", "pay_late")
    assert java.symbols == ("org.shop.bills.Bill.charge",)


def test_a_decorator_is_a_name_and_an_address_is_none() -> None:
    assert named("see @task and mail ada@task.org", PROJECT).symbols == ("task",)


def test_letters_on_both_sides_of_a_digit_are_a_name() -> None:
    assert named("int2str and utf8 in 3d", PROJECT).symbols == ("int2str",)


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        (f"{PROJECT}/src/pay.py", "src/pay.py"),
        ("./pay.py", "pay.py"),
        ("../other/pay.py", ""),
        ("/etc/hosts.conf", ""),
        ("~/notes.md", ""),
        ("node_modules/x/index.js", ""),
    ],
)
def test_a_path_is_taken_within_its_project(path: str, inside: str) -> None:
    assert relative(path, PROJECT) == inside


def test_files_that_a_session_touched_are_read_for_symbols() -> None:
    assert candidates(named("`charge` is slow", PROJECT), ["src/pay.py"]) == ("src/pay.py",)
    assert candidates(named("it is slow", PROJECT), ["src/pay.py"]) == ()


def test_a_symbol_is_what_its_lines_say() -> None:
    what = named("`charge` in src/pay.py gives the bill", PROJECT)

    assert references(what, {"src/pay.py": PAY}) == (
        Reference("src/pay.py", "charge", digest=digest(["def charge(bill):", "return bill"])),
    )


def test_a_line_is_what_it_says_and_a_file_that_it_is_there() -> None:
    what = named("see src/pay.py:1 and src/bill.py", PROJECT)

    assert references(what, {"src/pay.py": PAY, "src/bill.py": ""}) == (
        Reference("src/pay.py", digest=digest(["LIMIT = 3"]), line=1),
        Reference("src/bill.py"),
    )


def test_what_the_project_does_not_have_is_no_reference() -> None:
    what = named("`refund` in src/pay.py and lib/none.py", PROJECT)

    assert references(what, {"src/pay.py": PAY}) == (Reference("src/pay.py"),)


def test_a_document_defines_nothing() -> None:
    what = named("`charge` in notes.md", PROJECT)

    assert references(what, {"notes.md": "charge: so it is\n"}) == (Reference("notes.md"),)


def test_a_symbol_of_two_touched_files_is_of_neither() -> None:
    what = named("`charge` is slow", PROJECT)

    assert references(what, {"src/pay.py": PAY, "src/old.py": PAY}) == ()
    assert references(what, {"src/pay.py": PAY, "src/old.py": ""}) != ()


def test_a_file_by_its_name_alone_is_the_one_that_was_touched() -> None:
    what = named("pay.py does it", PROJECT)

    assert candidates(what, ["src/pay.py", "src/bill.py"]) == ("pay.py", "src/pay.py")
    assert references(what, {"src/pay.py": PAY}) == (Reference("src/pay.py"),)


def test_a_file_that_may_not_be_read_is_only_there() -> None:
    what = named("`API_TOKEN` is in .env.local", PROJECT)

    assert is_secret(".env.local")
    assert references(what, {".env.local": None}) == (Reference(".env.local"),)
    assert State.HELD is references(what, {".env.local": None})[0].state


def test_code_goes_before_the_data_that_a_text_names_first() -> None:
    text = "class Pay:\n    limit = 3\n\n    def charge(self):\n        return 1\n"

    assert symbols_of("`limit` in src/pay.py is what `charge` heeds", text) == ["charge", "limit"]


@pytest.mark.parametrize(
    ("said", "symbols"),
    [
        ("PayError comes out of charge_all", ["PayError", "charge_all"]),
        ("It raises PayError in charge_all", ["charge_all", "PayError"]),
    ],
)
def test_what_is_raised_goes_last_unless_the_text_begins_with_it(
    said: str, symbols: list[str]
) -> None:
    text = "class PayError(Exception):\n    pass\n\n\ndef charge_all(bills):\n    return bills\n"
    assert symbols_of(f"{said} (src/pay.py)", text) == symbols


CLASSES = """\
class TimeLimit:
    limit = 3

    def clone(self):
        return self


class RetryRule:
    def clone(self):
        return self
"""


@pytest.mark.parametrize(
    ("said", "symbols"),
    [
        ("A TimeLimit starts once, so `clone` it", ["TimeLimit.clone"]),
        ("`clone` of RetryRule keeps the count", ["RetryRule.clone"]),
        ("RetryRule starts again: RetryRule.clone counts", ["RetryRule.clone"]),
        ("RetryRule.clone keeps a TimeLimit", ["RetryRule.clone", "TimeLimit"]),
        ("`limit` of TimeLimit is low", ["TimeLimit", "limit"]),  # data
        ("TimeLimit is a clone", ["TimeLimit"]),
    ],
)
def test_a_method_stands_in_the_place_of_the_class_that_tells_whose_it_is(
    said: str, symbols: list[str]
) -> None:
    texts = {"src/pay.py": CLASSES}
    what = named(f"{said} (src/pay.py)", PROJECT)
    found = members(references(what, texts), what, texts)

    assert [one.symbol for one in found] == symbols


@pytest.mark.parametrize(
    ("said", "symbols"),
    [
        ("After `charge` nothing changes, charge_all forgot that.", ["charge_all", "charge"]),
        ("charge() changes nothing, charge_all forgot that.", ["charge", "charge_all"]),
        ("The class `Pay` calls charge_all.", ["Pay", "charge_all"]),
    ],
)
def test_a_function_of_one_word_goes_last_unless_the_text_begins_with_it(
    said: str, symbols: list[str]
) -> None:
    text = f"class Pay:\n    pass\n\n{PAY}\ndef charge_all(bills):\n    return bills\n"
    assert symbols_of(f"{said} (src/pay.py)", text) == symbols


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Proxies are looked up once", ""),  # prose
        ("Proxies keep their name, Proxies.raw does not", "Proxies"),
        ("Proxies wraps a list", "Proxies"),
        ("Status may change", "Status"),
        ("`charge` may fail", "charge"),
        ("", ""),
    ],
)
def test_a_plural_that_a_text_begins_with_is_prose(text: str, subject: str) -> None:
    assert named(text, PROJECT).subject == subject


def test_a_place_that_was_given_stands_first_and_once() -> None:
    given = Reference("src/pay.py", digest=b"of the buffer", line=3, given=True)
    said = Reference("src/pay.py", digest=b"of the disk", line=3)
    symbol = Reference("src/pay.py", "charge")

    assert joined([given], [symbol, said]) == (given, symbol)


def test_a_file_may_be_named_without_its_folder() -> None:
    what = named("pay.py:3, src/bill.py and Pay.charge", PROJECT)

    assert alone(what, []) == {"pay.py"}
    assert alone(what, ["pay.py"]) == frozenset()


def test_short_private_and_trailing_names_are_symbols() -> None:
    text = "Ky.create, `ld`, _pipe, copy_ and Ky.#retry; not _this_ or an ox, e.g. I.e"

    assert named(text, PROJECT).symbols == ("Ky.create", "ld", "_pipe", "copy_", "Ky.#retry")


def test_a_member_that_is_called_as_files_end_is_a_symbol_too() -> None:
    text = "Bill.json keeps the text, package.json does not, see README.md and HTTPBill.log"

    assert named(text, PROJECT).symbols == ("Bill.json", "HTTPBill.log")
