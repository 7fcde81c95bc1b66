"""A program of the engine ``command`` that does what its first word says: hostile.py WORD [FILE]."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

CUES = ("cue_prompts", "cue_files", "cue_symbols", "cue_commands", "cue_errors")
NOTE = {
    "kind": "fact",
    "title": "Port of the staging database",
    "text": "The staging database of the shop listens on port 5433.",
    "said_by": "user",
    "quote": "The staging database listens on 5433",
    "scope": "when",
    **{cue: list[str]() for cue in CUES},
    "relation": "none",
    "relation_id": None,
}


def note_pid() -> None:
    """Write down who runs, one number a line, in the file that was named."""
    with Path(sys.argv[2]).open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")


def hang() -> None:
    """Run until somebody ends it, and longer than any test if nobody does."""
    time.sleep(3_600)


def say(text: str) -> None:
    """Put a line on standard output."""
    sys.stdout.write(f"{text}\n")


def right() -> None:
    asked = json.load(sys.stdin)
    say(json.dumps({"notes": [NOTE], "stopped": f"in {asked['project']}"}))


def seen() -> None:
    json.load(sys.stdin)
    names = sorted(name for name in os.environ if name.startswith(("CLAUDE", "ANTHROPIC")))
    about = {
        "folder": str(Path.cwd()),
        "files": sorted(path.name for path in Path.cwd().iterdir()),
        "environ": names,
    }
    say(json.dumps({"notes": [], "stopped": json.dumps(about)}))


def limited() -> None:
    sys.exit("API Error: 429 rate_limit_error: this request would exceed your limit")


def quoting() -> None:
    asked = json.load(sys.stdin)
    sys.exit(f"cannot parse: {asked['text']}")


def secret() -> None:
    sys.exit("refused the token ghp_" + "a1B2c3D4" * 4 + "e5F6")


def huge() -> None:
    for _ in range(50):
        sys.stdout.write("x" * 1_000_000)


def loud() -> None:
    for _ in range(50):
        sys.stderr.write("x" * 1_000_000)


def deaf() -> None:
    """Say right away what it has to say, and read nothing."""
    say(json.dumps({"notes": []}))


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path("litter").write_text("of a program that was ended", encoding="utf-8")
    note_pid()
    hang()


def late() -> None:
    note_pid()
    hang()


def forking() -> None:
    """Leave children behind: one in its group, one in a session of its own, both stubborn."""
    for own_session in (False, True):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if own_session:
                os.setsid()
                if os.fork():
                    os._exit(0)
            note_pid()
            hang()
    while len(Path(sys.argv[2]).read_text(encoding="utf-8").split()) < 2:
        time.sleep(0.01)
    say(json.dumps({"notes": []}))


ACTS: dict[str, Callable[[], object]] = {
    "right": right,
    "seen": seen,
    "late": late,
    "stubborn": stubborn,
    "null": lambda: say("null"),
    "silent": lambda: None,
    "limited": limited,
    "quoting": quoting,
    "secret": secret,
    "garbage": lambda: say("Sure! Here are the notes: none."),
    "nested": lambda: say("[" * 200_000),
    "list": lambda: say("[1, 2]"),
    "foreign": lambda: say('{"error": "no"}'),
    "huge": huge,
    "loud": loud,
    "dying": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "deaf": deaf,
    "forking": forking,
}

if __name__ == "__main__":
    if len(sys.argv) > 2:
        Path(sys.argv[2]).touch()
    ACTS[sys.argv[1]]()
