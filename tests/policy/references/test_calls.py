"""Commands of a line, and the cues that begin one."""

from time import process_time

import pytest

from actors.policy.references.mentions import MOST_COMMANDS, WORDS, begun, commands, is_rule


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
        ("git stash", "git commit -m 'why `git stash` is forbidden'", 0),
        ("git stash", "grep -rn '$(git stash)' docs", 0),
        ("kubectl", "sudo -u me kubectl -n shop delete pod a | tail", 1),
        ("gh", "GH_REPO=a/b gh pr view", 1),
        ("gh", "number=$(gh pr view --json number)", 1),
        ("GH_REPO=a/b gh api", "env GH_REPO=c/d gh api x", 2),
        ("git commit --amend", "git commit -m 'x' --amend", 3),
        ("git commit --amend", "git commit -m 'x'", 0),
        ("alembic upgrade", ".venv/bin/alembic upgrade head", 2),
        ("alembic", "uv run alembic upgrade head", 1),
        ("uv run alembic", "uv run alembic upgrade head", 3),
        ("deploy/migrate.sh", "sh deploy/migrate.sh", 1),
        ("deploy/migrate.sh", "cd api && sudo bash -eu ./deploy/migrate.sh staging", 1),
        ("deploy/migrate.sh staging", "bash -euo pipefail deploy/migrate.sh staging", 2),
        ("bash deploy/migrate.sh", "bash deploy/migrate.sh", 2),
        ("deploy/migrate.sh", "bash -n deploy/migrate.sh", 0),
        ("migrate", "bash -c 'echo' migrate", 0),
        ("make deploy", "make deploy-docs", 0),
        ("", "git stash", 0),
    ],
)
def test_a_cue_is_the_beginning_of_a_command_that_the_shell_would_run(
    cue: str, line: str, words: int
) -> None:
    assert begun(cue, commands(line)) == words


@pytest.mark.parametrize("word", ["env ", "sudo ", "uv run ", "`a` ", "$(a) ", "ls; "])
def test_of_a_line_without_end_a_few_commands_are_looked_at(word: str) -> None:
    run = commands(word * 500)

    assert len(run) <= MOST_COMMANDS
    assert all(len(one.words) <= WORDS for one in run)


@pytest.mark.parametrize(
    ("cue", "line", "words"),
    [
        ("git", "git log --oneline", 0),
        ("git", "git push", 0),
        ("git push", "git push --force", 2),
        ("python", "python manage.py migrate", 0),
        ("make", "make -j8", 1),
        ("docker", "sudo docker compose up", 0),
        ("uv", "uv run alembic upgrade head", 0),
        ("gh", "gh pr view", 1),
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
def test_a_cue_speaks_of_what_is_run_all_day_only_when_it_names_that_use(
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
