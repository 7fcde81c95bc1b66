"""Which memories a call that is about to be made concerns."""

import pytest

from actors.policy.events.events import Tool
from actors.policy.references.calls import bears_on, call_of, is_rule
from actors.policy.references.references import Reference, State

FOLDER = "/home/user/shop"


def edit(path: str, old: str = "a", new: str = "b") -> Tool:
    given = {"file_path": f"{FOLDER}/{path}", "old_string": old, "new_string": new}
    return Tool("Edit", given)


def bash(command: str) -> Tool:
    return Tool("Bash", {"command": command})


@pytest.mark.parametrize(
    ("reference", "tool", "bears"),
    [
        (Reference("src/pay.py"), edit("src/pay.py"), True),
        (Reference("src/pay.py"), edit("src/cart.py"), False),
        (Reference("pay.py"), edit("src/pay.py"), False),
        (Reference("src/pay.py", state=State.GONE), edit("src/pay.py"), False),
        (Reference("src/pay.py", "charge"), edit("src/pay.py", "def charge(bill):"), True),
        (Reference("src/pay.py", "Bill.charge"), edit("src/pay.py", new="bill.charge()"), True),
        (Reference("src/pay.py", "charge"), edit("src/pay.py", "def recharge(bill):"), False),
        (Reference("src/pay.py", "charge", state=State.CHANGED), edit("src/pay.py", "charge"), False),
        (Reference("Makefile", "deploy", "make deploy"), bash("cd api && make deploy | tail"), True),
        (Reference("", command="npm run build"), bash("CI=1 npm run build -- --watch"), True),
        (Reference("", command="git push --force"), bash("git push --force origin"), True),
        (Reference("", command="git push --force"), bash("git push origin"), False),
        (Reference("", command="make deploy"), bash("make deploy-docs"), False),
        (Reference("", command="make deploy"), bash("echo 'make deploy'"), False),
        (Reference("Makefile", "deploy", "make deploy"), edit("Makefile", "deploy:"), False),
        (Reference("src/pay.py"), bash("cat src/pay.py"), False),
        (Reference("src/pay.py"), Tool("Read", {"file_path": f"{FOLDER}/src/pay.py"}), False),
    ],
)  # fmt: skip
def test_a_call_concerns_the_very_file_symbol_or_command_that_is_still_there(
    reference: Reference, tool: Tool, bears: bool
) -> None:
    assert bears_on(reference, call_of(tool, FOLDER)) is bears


def test_a_file_outside_the_checkout_is_none_of_its_files() -> None:
    assert call_of(Tool("Write", {"file_path": "/etc/hosts"}), FOLDER).names == ()


@pytest.mark.parametrize(
    ("kind", "status", "rule", "sure"),
    [
        ("convention", "confirmed", "hand", True),
        ("discovery", "confirmed", "conclusion", True),
        ("convention", "noticed", "document", False),
        ("bugfix", "confirmed", "commit", False),
        ("decision", "confirmed", "answer", False),
    ],
)
def test_a_rule_is_confirmed_and_neither_history_nor_one_of_several_options(
    kind: str, status: str, rule: str, sure: bool
) -> None:
    assert is_rule(kind, status, rule) is sure
