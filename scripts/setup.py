"""Steps of ``make setup`` inside .venv: the locked packages, llama.cpp, reverie, its tests, the model.

scripts/setup.sh found the Python, made.venv and runs this with it. Each step leaves a stamp with
the digest of its input; a step with a matching stamp is not done again. Standard library only.
"""

import hashlib
import os
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.append(str(CHECKOUT))  # nothing is installed yet

from daemon.embedding import build_llama  # noqa: E402
from daemon.embedding.build_llama import (  # noqa: E402
    CannotBuild,
    elapsed,
    make_ready,
    reason,
    run_watched,
)

VENV = CHECKOUT / ".venv"
STAMPS = VENV / "stamps"
LOCK = CHECKOUT / "requirements.lock"
PROJECT = CHECKOUT / "pyproject.toml"
REVERIE = VENV / "bin" / "reverie"


class StepFailed(Exception):
    """A step could not be done; the text is one line with its remedy."""


def say(text: str) -> None:
    """One line for the person who waits."""
    sys.stderr.write(f"setup: {text}\n")
    sys.stderr.flush()


def digest_of(*parts: str | bytes) -> str:
    """One digest for all input of a step."""
    whole = hashlib.sha256(sys.version.encode())
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        whole.update(hashlib.sha256(data).digest())
    return whole.hexdigest()


def once(name: str, digest: str, step: Callable[[], None]) -> None:
    """Do a step unless it was done from the same inputs."""
    stamp = STAMPS / name
    if stamp.exists() and stamp.read_text() == digest:
        return
    started = time.monotonic()
    step()
    stamp.write_text(digest)
    say(f"{name}: done in {elapsed(time.monotonic() - started)}")


def pip_install(doing: str, *arguments: str) -> None:
    """Install with plain pip into .venv. Raises ``StepFailed`` with pip's own last error."""
    log = VENV / "pip.log"
    env = os.environ | {
        "PIP_USER": "0",  # a setting of `user = true` fails inside an environment
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_PROGRESS_BAR": "off",
    }
    # An sdist would fetch build tools that no lock names; who needs one sets this to :none:.
    env.setdefault("PIP_ONLY_BINARY", ":all:")
    command = [sys.executable, "-P", "-m", "pip", "install", "--no-input", *arguments]
    if run_watched(command, env, CHECKOUT, log, doing) != 0:
        said = reason(log.read_text(errors="replace"))
        raise StepFailed(f"{doing}: {said} (log: {log})")


def install_packages() -> None:
    """Exactly the locked files, whatever the index offers."""
    pip_install("installing the locked packages", "--require-hashes", "-r", str(LOCK))


def install_llama() -> None:
    """The machine's folder with llama.cpp, built first if there is none; this environment looks there too."""
    try:
        folder = make_ready([sys.executable, "-P", "-m", "pip"])
    except CannotBuild as error:
        raise StepFailed(
            f"llama.cpp: {error}; or set up without the model by `LLAMA=no make setup`"
        ) from error
    Path(sysconfig.get_path("purelib"), "llama.pth").write_text(f"{folder}\n")


def install_checkout() -> None:
    """Reverie itself, editable. Its build tools are in the lock, so nothing is fetched."""
    itself = ("--no-index", "--no-deps", "--no-build-isolation", "--editable", str(CHECKOUT))
    pip_install("installing reverie", *itself)


def read_tests() -> None:
    """The tests' bytecode, kept: else each worker of the first `make test` makes it, 16 s of CPU."""
    subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--quiet"],
        cwd=CHECKOUT, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def fetch_model() -> None:
    """The embedding model. Without it everything works by words, so a failure only warns."""
    fetched = subprocess.run([REVERIE, "model", "setup", "--yes"], stdout=sys.stderr, check=False)
    if fetched.returncode != 0:
        say("warning: no embedding model yet, recall works by words; `reverie model setup` retries")


def set_up() -> None:
    """All steps, in the order in which they need each other."""
    STAMPS.mkdir(exist_ok=True)
    here = str(CHECKOUT)
    once("packages", digest_of(LOCK.read_bytes()), install_packages)
    wants_llama = os.environ.get("LLAMA", "yes") != "no"
    if wants_llama:
        builder = Path(build_llama.__file__)
        once("llama.cpp", digest_of(builder.read_bytes()), install_llama)
    once("reverie", digest_of(PROJECT.read_bytes(), here), install_checkout)
    once("tests", digest_of(LOCK.read_bytes(), here), read_tests)
    if wants_llama:
        fetch_model()


def ended(_signal: int, _frame: FrameType | None) -> None:
    """Leave through the ``finally`` clauses when asked to end."""
    raise SystemExit(143)


def main() -> int:
    """Exit 0 when everything is in place, 1 with one line when not."""
    signal.signal(signal.SIGTERM, ended)
    try:
        set_up()
    except StepFailed as error:
        say(str(error))
        return 1
    except OSError as error:
        say(f"{error.strerror}: {error.filename}; free space or permissions are missing")
        return 1
    except KeyboardInterrupt:
        say("interrupted; run `make setup` again to go on where it stopped")
        return 130
    (VENV / ".setup").touch()
    say("ready: .venv/bin/reverie")
    return 0


if __name__ == "__main__":
    sys.exit(main())
