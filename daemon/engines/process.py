"""A program as an engine: where it is, started in an empty folder, bounded in time and output, killed whole."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.policy.reader.exchange import Failed, Reason
from daemon.engines import keeper
from daemon.home import FILE_MODE, FOLDER_MODE, Home

# Where installers of agents put them. A daemon that a hook started has the hook's path, one that
# the system started has nearly none.
USUAL: Final = (
    ".local/bin", ".claude/local", ".npm-global/bin", ".bun/bin", ".volta/bin", "bin",
)  # fmt: skip
SYSTEM: Final = ("/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin")


def user_folder(environ: Mapping[str, str]) -> Path:
    """The person's own folder."""
    return Path(environ.get("HOME") or Path.home())


def located(program: str, environ: Mapping[str, str]) -> Path | None:
    """The program's absolute path, ``None`` when it is nowhere or cannot be run."""
    if os.sep in program:
        path = Path(program).expanduser()
        return path if path.is_absolute() and os.access(path, os.X_OK) and path.is_file() else None
    folders = [
        environ.get("PATH", ""),
        *(str(user_folder(environ) / name) for name in USUAL),
        *SYSTEM,
    ]
    at = shutil.which(program, path=os.pathsep.join(filter(None, folders)))
    return Path(at).absolute() if at else None


def beside(program: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with the program's own folder on the path: there a client finds its own Node."""
    path = os.pathsep.join(filter(None, (environ.get("PATH", ""), str(program.parent), *SYSTEM)))
    return {**environ, "PATH": path}


# ---- a run
#
# Under ``daemon.engines.keeper``, which ends every process of a program at the time limit, when the
# caller is cancelled, and when the daemon dies.


_KEEPER: Final = str(Path(keeper.__file__).resolve())
# Seconds: a large session took a small model 40; a busy endpoint takes longer.
PATIENCE: Final = 300.0
OUTPUT: Final = 1_000_000  # bytes of an answer at most; twelve notes have under 20,000
_READS: Final = 65_536  # bytes at once
_COMPLAINTS: Final = 4_096  # bytes kept of the end of what it said on standard error
_LEAVES_WITHIN: Final = keeper.GRACE + keeper.GIVES_UP + 2.0  # seconds

# Of an agent's session from which the daemon may have been started: they would make the client
# part of that session, give it another model, or let it record a session.
STRIPPED: Final = frozenset({"CLAUDECODE", "AI_AGENT", "GEMINI_CLI"})
STRIPPED_PREFIXES: Final = (
    "CLAUDE_CODE_", "CLAUDE_PROJECT", "CLAUDE_PLUGIN", "CLAUDE_ENV", "CODEX_",
)  # fmt: skip
STRIPPED_MODELS: Final = ("ANTHROPIC_", "_MODEL")  # how their names begin and end
# Where a request goes and by which credential is the person's choice: they stay.
KEPT: Final = frozenset(
    {
        "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY",
        "CLAUDE_CODE_SKIP_BEDROCK_AUTH", "CLAUDE_CODE_SKIP_VERTEX_AUTH",
        "CLAUDE_CODE_SKIP_FOUNDRY_AUTH", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_CLIENT_CERT",
        "CLAUDE_CODE_CLIENT_KEY", "CODEX_HOME", "CODEX_API_KEY",
    }
)  # fmt: skip


class Ended(Struct, frozen=True):
    """A program ended by itself within its bounds."""

    code: int  # 128 and the signal where one killed it
    output: bytes
    complaints: str  # the end of standard error
    result: bytes = b""  # of the file that was named for it


class Errand(NamedTuple):
    """One run of a program: its arguments, its input, and its files in ``Place.files``."""

    words: Sequence[str]
    stdin: str = ""
    environ: Mapping[str, str] = {}  # beside the daemon's
    files: Mapping[str, str] = {}  # texts by their names
    links: Mapping[str, Path] = {}  # to existing files of the person
    result: str = ""  # name of the file that it writes


class Place(Struct, frozen=True):
    """The folders of engines in a home; one engine at a time is there.

    The programs' working folder is always the same: agents' clients keep a record of every folder
    they were started in.
    """

    root: Path
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    _turn: trio.Lock = field(default_factory=trio.Lock)

    @classmethod
    def of(cls, home: Home) -> "Place":
        """The place in this home."""
        return cls(home.root / "run")

    @property
    def folder(self) -> Path:
        """The empty folder for starting programs: events from there are an engine's own."""
        return self.root / "reader"

    @property
    def files(self) -> Path:
        """The folder of a program's files; not the one it is started in."""
        return self.root / "reader-files"

    async def run(self, program: Path, errand: Errand, seconds: float) -> Ended | Failed:
        """Run a program here when nobody else is here, without variables of an agent's session.

        Fails with ``MISSING``, ``LATE`` or ``TOO_LONG``, and with ``STORE`` where the folders cannot be
        made. When this returns, and when it is cancelled, no process of the program is left.
        """
        async with self._turn:
            try:
                await trio.to_thread.run_sync(self._furnish, errand)
                ended = await self._ran(program, errand, seconds)
                if isinstance(ended, Ended) and errand.result:
                    result = _beginning(self.files / errand.result)
                    ended = replace(ended, result=result)
            except OSError as error:
                return Failed(Reason.STORE, f"{self.root}: {error.strerror}")
            finally:
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(self.clear)
            return ended

    async def _ran(self, program: Path, errand: Errand, seconds: float) -> Ended | Failed:
        heard = _Heard()
        descriptor, holds = os.pipe()
        with os.fdopen(descriptor, "rb", 0) as watched, os.fdopen(holds, "wb", 0) as held:
            try:
                process = await self._started(program, errand, watched.fileno())
            except OSError as error:
                return Failed(Reason.MISSING, error.strerror or "")
            try:
                with trio.move_on_after(seconds) as limit:
                    await _conversation(process, errand.stdin.encode("utf-8", "replace"), heard)
            finally:
                held.close()
                await _left(process)
        if heard.is_too_long:
            return Failed(Reason.TOO_LONG, f"more than {OUTPUT:,} bytes")
        if limit.cancelled_caught:
            return Failed(Reason.LATE, f"{seconds:,.0f} s")
        return _ended(process, heard)

    async def _started(self, program: Path, errand: Errand, watched: int) -> trio.Process:
        words = [sys.executable, "-I", "-S", _KEEPER, str(watched), str(self.files), str(program)]
        return await trio.lowlevel.open_process(
            [*words, *errand.words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(watched,),
            cwd=self.folder,
            env={**stripped(beside(program, self.environ)), **errand.environ},
            start_new_session=True,  # an interrupt is for the daemon to handle
        )

    def _furnish(self, errand: Errand) -> None:
        self.clear()
        for folder in (self.folder, self.files):
            folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        for name, text in errand.files.items():
            path = self.files / name
            path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            path.touch(FILE_MODE)
            path.write_text(text, encoding="utf-8")
        for name, target in errand.links.items():
            if target.exists():
                (self.files / name).symlink_to(target)

    def clear(self) -> None:
        """Remove the leavings of programs, as far as possible."""
        for folder in (self.folder, self.files):
            shutil.rmtree(folder, ignore_errors=True)


def _beginning(path: Path) -> bytes:
    """The beginning of a file, nothing of a missing one."""
    try:
        with path.open("rb") as file:
            return file.read(OUTPUT)
    except FileNotFoundError:
        return b""


def stripped(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without variables of an agent's session."""
    begins, ends = STRIPPED_MODELS
    return {
        name: value
        for name, value in environ.items()
        if name in KEPT
        or not (
            name in STRIPPED
            or name.startswith(STRIPPED_PREFIXES)
            or (name.startswith(begins) and (name.endswith(ends) or "_MODEL_" in name))
        )
    }


def _ended(process: trio.Process, heard: "_Heard") -> Ended | Failed:
    complaints = heard.complaints.decode("utf-8", "replace")
    if process.returncode == keeper.CANNOT_RUN and complaints.startswith("cannot be run: "):
        return Failed(Reason.MISSING, complaints.strip())
    assert process.returncode is not None  # `_left` waited for it
    return Ended(process.returncode, bytes(heard.output), complaints)


class _Heard(Struct):
    """Output of a program, as far as it was heard."""

    output: bytearray = field(default_factory=bytearray)
    complaints: bytes = b""  # the end of them

    @property
    def is_too_long(self) -> bool:
        return len(self.output) > OUTPUT


async def _conversation(process: trio.Process, stdin: bytes, heard: _Heard) -> None:
    """Feed a program and hear it until it ended or said too much."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_feed, process, stdin)
        nursery.start_soon(_hear_complaints, process, heard)
        await _hear(process, heard)
        if heard.is_too_long:
            nursery.cancel_scope.cancel()
        await process.wait()


async def _feed(process: trio.Process, stdin: bytes) -> None:
    assert process.stdin
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # it reads no further
        await process.stdin.send_all(stdin)
    await process.stdin.aclose()


async def _hear(process: trio.Process, heard: _Heard) -> None:
    assert process.stdout
    while not heard.is_too_long:
        received = await process.stdout.receive_some(_READS)
        if not received:
            return
        heard.output += received


async def _hear_complaints(process: trio.Process, heard: _Heard) -> None:
    assert process.stderr
    async for received in process.stderr:
        heard.complaints = (heard.complaints + received)[-_COMPLAINTS:]


async def _left(process: trio.Process) -> None:
    """Wait for the keeper, its pipe closed, to end the program and go."""
    with trio.CancelScope(shield=True):
        with trio.move_on_after(_LEAVES_WITHIN):
            await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                await stream.aclose()
