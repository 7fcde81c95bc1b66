"""Codex and Gemini CLI, the real ones, are told the page as a session starts, and what changed where it goes on.

Opt-in: set ``CODEX_BIN`` and ``GEMINI_BIN`` to the clients' programs (docs/testing.md has the recipe). The models
are a server on loopback that records what it is asked.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import Reverie
from tests.engines.scripted_server import Scripted, scripted_server
from tests.engines.test_real_clients import generated, program, responses
from tests.patience import PATIENCE

pytestmark = pytest.mark.real_client

RULE = "Run the tests of the payments with nox, never with tox."
LATER = "The payments are in services/ledger."


def codex(reverie: Reverie, script: Scripted) -> Callable[[str], None]:
    """Codex of a user who trusts the hooks; after the first prompt it goes on."""
    folder = Path(reverie.environ["HOME"], ".codex")
    (folder / "auth.json").write_text('{"OPENAI_API_KEY": "sk-of-a-test"}')
    (folder / "config.toml").write_text(f'openai_base_url = "{script.url}/v1"\n')
    script.body = responses("Hello.")
    words = [program("CODEX_BIN", "codex"), "exec"]
    options = ["-m", "gpt-5.4-mini", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]

    def ask(prompt: str) -> None:
        first = not script.asked
        again = [] if first else ["resume", "--last"]
        run(reverie, [*words, *again, *options, prompt])

    return ask


def gemini(reverie: Reverie, script: Scripted) -> Callable[[str], None]:
    """Gemini CLI of a user with a key; after the first prompt it goes on."""
    settings = Path(reverie.environ["HOME"], ".gemini", "settings.json")
    auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    settings.write_text(json.dumps({**json.loads(settings.read_text()), **auth}))
    script.body = generated("Hello.")
    words = [program("GEMINI_BIN", "gemini"), "--skip-trust", "-m", "gemini-3.1-flash-lite"]
    environ = {"GEMINI_API_KEY": "of-a-test", "GOOGLE_GEMINI_BASE_URL": script.url}

    def ask(prompt: str) -> None:
        again = [] if not script.asked else ["--resume", "latest"]
        run(reverie, [*words, *again, "-p", prompt], **environ)

    return ask


def run(reverie: Reverie, words: list[str], **environ: str) -> None:
    """A client in the project, with nothing of this user's environment."""
    client = Path(words[0]).parent
    path = f"{client}:{reverie.environ['PATH']}"
    subprocess.run(
        words, cwd=reverie.folder, env={**reverie.environ, "PATH": path, **environ},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=True,
    )  # fmt: skip


@pytest.mark.parametrize(("agent", "client"), [("codex", codex), ("gemini", gemini)])
def test_its_requests_have_the_page_and_what_was_learnt_before_it_went_on(
    reverie: Reverie,
    agent: str,
    client: Callable[[Reverie, Scripted], Callable[[str], None]],
) -> None:
    Path(reverie.environ["HOME"], f".{agent}").mkdir()
    reverie.document("up")
    assert reverie.run("install", agent, "--yes").returncode == 0
    reverie.document("remember", RULE, "--type", "convention", "--project", ".")
    with scripted_server() as script:
        script.headers["content-type"] = "text/event-stream"
        ask = client(reverie, script)
        ask("Say hello.")
        first = json.dumps([body for _, body in script.asked])
        reverie.document("remember", LATER, "--type", "convention", "--project", ".")
        ask("And again.")
        last = json.dumps(script.asked[-1][1])
    reverie.settle()
    prompts = [one for one in reverie.journal() if one["kind"] == "prompt"]

    assert (RULE in first, LATER in first) == (True, False)
    # Once each: Codex keeps the first in its transcript, and Gemini is told both again.
    assert (last.count(RULE), last.count(LATER)) == (1, 1)
    assert len({one["session"] for one in prompts}) == 1
