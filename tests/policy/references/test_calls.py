"""Which memories a call that is about to be made concerns."""

from time import process_time

import pytest

from actors.policy.events.events import Tool
from actors.policy.references.calls import bears_on, begun, call_of, commands, is_rule
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
    assert call_of(Tool("Write", {"file_path": "/etc/hosts"}), FOLDER).names == frozenset()


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


@pytest.mark.parametrize(
    ("cue", "line", "words"),
    [
        ("git stash", "cd api && git stash pop", 2),
        ("git stash", "git -C api stash", 2),
        ("git stash", "echo 'git stash'", 0),
        ("git stash", "git commit -m 'git stash'", 0),
        ("kubectl", "sudo -u me kubectl -n shop delete pod a | tail", 1),
        ("gh", "GH_REPO=a/b gh pr view", 1),
        ("gh", "number=$(gh pr view --json number)", 1),
        ("GH_REPO=a/b gh api", "env GH_REPO=c/d gh api x", 2),
        ("git commit --amend", "git commit -m 'x' --amend", 3),
        ("git commit --amend", "git commit -m 'x'", 0),
        ("alembic upgrade", ".venv/bin/alembic upgrade head", 2),
        ("alembic", "uv run alembic upgrade head", 1),
        ("uv run alembic", "uv run alembic upgrade head", 3),
        ("make deploy", "make deploy-docs", 0),
        ("", "git stash", 0),
    ],
)
def test_a_cue_is_the_beginning_of_a_command_that_the_shell_would_run(
    cue: str, line: str, words: int
) -> None:
    assert begun(cue, commands(line)) == words


@pytest.mark.parametrize(
    ("cue", "line", "words"),
    [
        ("git", "git log --oneline", 0),
        ("git", "git push", 1),
        ("git branch", "git branch -a", 0),
        ("git branch", "git branch -m a b", 2),
        ("git stash", "git stash list", 0),
        ("go", "go test ./...", 0),
        ("go test", "go test ./... -v", 2),
        ("mise", "mise run test | tail", 0),
        ("mise run test", "mise run test | tail", 3),
        ("uv", "uv run pytest -q", 0),
        ("pytest", "uv run pytest -q", 1),
        ("npm", "npm run build", 0),
        ("npm run build", "npm run build -- --watch", 3),
        ("make", "make --version", 0),
        ("cat", "cat a.json", 0),
        ("cat a.json", "cat a.json", 2),
    ],
)
def test_a_cue_speaks_of_a_build_a_test_or_a_look_only_when_it_names_that_use(
    cue: str, line: str, words: int
) -> None:
    assert begun(cue, commands(line)) == words


def test_commands_of_a_long_hostile_line_are_read_in_linear_time() -> None:
    def seconds(count: int) -> float:
        line = "$(gh " * count + "sudo -u " * count + "`" * count
        before = process_time()
        for _ in range(20):
            commands(line)
        return process_time() - before

    assert seconds(2_000) < 5 * seconds(1_000) + 0.05
