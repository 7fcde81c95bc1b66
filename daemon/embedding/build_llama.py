"""A folder with llama.cpp for every installation of reverie on this machine: found, or built once.

The package index carries only the source of llama-cpp-python. Its default build compiles
178 files, chat parsers and image models among them; embedding sentences needs 83. So the
one pinned source, its digest checked, is built with the flags below and unpacked into a cache outside
the checkout, with the three small packages that it imports: a user's environment belongs to ``uv tool``
or ``pipx``, which make it anew on an upgrade. The folder appears under its name when it is whole. Its
name holds version, class of CPU (a home folder may be shared) and a digest of how it is built.

Says on standard error that it is under way. Standard library only: ``make setup`` runs this before
anything is installed, ``reverie model setup`` later.
"""

import fcntl
import hashlib
import importlib
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

VERSION = "0.3.36"
SDIST_SHA256 = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"

# What the isolated build may fetch. pip takes a tool that the system has before these.
BUILD_TOOLS = ("scikit-build-core==1.1.2", "cmake==4.4.4", "ninja==1.13.2")

# The source forces LLAMA_BUILD_COMMON on in the cache; a plain variable, set right after
# `project("llama.cpp")`, hides that and leaves the unused chat parsers out.
WITHOUT_COMMON = "set(LLAMA_BUILD_COMMON OFF)\n"

# LLAVA: no image models. NATIVE off: the wheel runs on every machine of the CPU class, and
# a build with AMX instructions was seen to end the process with SIGILL.
FLAGS: tuple[str, ...] = ("-DLLAVA_BUILD=OFF", "-DGGML_NATIVE=OFF")
FLAGS_BEFORE_AVX2 = tuple(f"-DGGML_{name}=OFF" for name in ("AVX", "AVX2", "FMA", "F16C", "BMI2"))
FLAGS_OF_AVX512 = ("-DGGML_AVX512=ON",)  # a text for .7 of the CPU: docs/adr/0017
FLAGS_ON_MACOS = ("-DGGML_METAL=OFF",)  # one thread on the CPU is what the worker uses

# What /proc/cpuinfo calls the instructions that a class needs.
INSTRUCTIONS = {
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "x86-64-v3": {"avx2", "fma", "f16c", "bmi2"},
}

TOLD_EVERY = 10.0  # seconds between two lines of progress

DEBIAN_REMEDY = "apt install build-essential"
MACOS_REMEDY = "xcode-select --install"


class CannotBuild(Exception):
    """The folder cannot be made here; the text is one line with its remedy."""


def say(text: str) -> None:
    """One line for the person who waits."""
    sys.stderr.write(f"llama: {text}\n")
    sys.stderr.flush()


def cache_folder() -> Path:
    """Parent of the folder: the platform's cache folder, outside every checkout."""
    if sys.platform == "darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "reverie" / "llama"


def first_line_of(command: list[str]) -> str | None:
    """The first line printed by a command, or None when it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    lines = done.stdout.splitlines()
    return lines[0].strip() if lines else None


def compiler_remedy() -> str:
    """The command for installing a compiler on this kind of system."""
    return MACOS_REMEDY if sys.platform == "darwin" else DEBIAN_REMEDY


def check_it_compiles() -> None:
    """A compiler without its headers or linker is found out before the download, not after.

    On macOS ``c++`` exists without the command line tools too, and fails when it is run.
    """
    words = shlex.split(os.environ.get("CXX") or "c++")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "a.cpp"), Path(folder, "a.out")
        source.write_text("#include <vector>\nint main() { return std::vector<int>().size(); }\n")
        try:
            done = subprocess.run([*words, str(source), "-o", str(target)], capture_output=True)
        except OSError:
            done = None
    if done is None or done.returncode != 0:
        raise CannotBuild(
            f"`{shlex.join(words)}` cannot compile and link a small C++ program:"
            f" run `{compiler_remedy()}`"
        )


def cpu_classes() -> tuple[str, ...]:
    """Classes of CPU with wheels for this machine, the fastest first: the machine, and an x86's features."""
    machine = platform.machine().lower()
    if machine not in {"x86_64", "amd64"}:
        return (machine,)
    if sys.platform == "darwin":
        has_avx2 = first_line_of(["sysctl", "-n", "hw.optional.avx2_0"]) == "1"
        return ("x86-64-v3", "x86-64") if has_avx2 else ("x86-64",)
    cpuinfo = Path("/proc/cpuinfo")
    words = set(cpuinfo.read_text(errors="replace").split() if cpuinfo.exists() else ())
    return (*(name for name, needs in INSTRUCTIONS.items() if needs <= words), "x86-64")


def flags_for(cpu: str) -> tuple[str, ...]:
    """The CMake flags for one class of CPU on this system."""
    flags = FLAGS
    if cpu == "x86-64-v4":
        flags += FLAGS_OF_AVX512
    if cpu == "x86-64":
        flags += FLAGS_BEFORE_AVX2
    if sys.platform == "darwin":
        flags += FLAGS_ON_MACOS
    return flags


@contextmanager
def only_builder(lock: Path) -> Generator[None]:
    """Lock for the one process building; others wait here and then find it done."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another build is under way; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def elapsed(seconds: float) -> str:
    """Whole seconds as minutes and seconds: ``2:05``."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def reason(log: str) -> str:
    """One line for a failed command: its last error."""
    errors = [line.strip() for line in log.splitlines() if "error" in line.lower()]
    return errors[-1][:200] if errors else "it stopped without a message"


def run_watched(
    command: list[str], env: dict[str, str], folder: Path, log: Path, doing: str
) -> int:
    """Run a long command with its output in ``log`` and return its exit code.

    Every ten seconds a line says that it is still at it. The command has a process group of its own,
    which ends with us.
    """
    started = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        while True:
            try:
                return process.wait(timeout=TOLD_EVERY)
            except subprocess.TimeoutExpired:
                say(f"{elapsed(time.monotonic() - started)}  {doing}")
    finally:
        if process.poll() is None:  # interrupted: the compilers must not go on alone
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def build(work: Path, flags: tuple[str, ...], log: Path, pip: Sequence[str]) -> Path:
    """Make the wheel in a folder in this one, which is returned."""
    (work / "tmp").mkdir()
    (work / "source.txt").write_text(f"llama-cpp-python=={VERSION} --hash=sha256:{SDIST_SHA256}\n")
    (work / "tools.txt").write_text("\n".join(BUILD_TOOLS) + "\n")
    without_common = work / "without-common.cmake"
    without_common.write_text(WITHOUT_COMMON)
    include = f"-DCMAKE_PROJECT_llama.cpp_INCLUDE={without_common}"
    env = os.environ | {
        "CMAKE_ARGS": shlex.join([*flags, include]),
        # Older pips hand the first to the build environment, newer ones the second. Names
        # are relative because pip splits these values at spaces.
        "PIP_CONSTRAINT": "tools.txt",
        "PIP_BUILD_CONSTRAINT": "tools.txt",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "TMPDIR": str(work / "tmp"),  # so that a killed build leaves nothing elsewhere
    }
    # Without pip's cache: it may hold a wheel of this version that was built with other flags.
    wheel = [*pip, "-v", "wheel", "--no-deps", "--no-cache-dir"]
    source = ["--no-binary", "llama-cpp-python", "--require-hashes", "-r", "source.txt"]
    command = [*wheel, *source, "-w", "wheels"]
    if run_watched(command, env, work, log, "fetching and compiling llama.cpp") != 0:
        text = log.read_text(errors="replace")
        raise CannotBuild(f"the build failed: {reason(text)} (log: {log})")
    if not list((work / "wheels").glob("*.whl")):
        raise CannotBuild(f"pip said it built a wheel, and there is none (log: {log})")
    return work / "wheels"


MODULE: Final = "llama_cpp"
BESIDE: Final = ("diskcache==5.6.3", "jinja2==3.1.6", "markupsafe==3.0.4")
"""What llama-cpp-python imports and reverie has no other use for, as locked."""


def site_name(cpu: str) -> str:
    """The folder's name for one class of CPU.

    The compiler is not in it: whoever looks for the folder may have another one, or none.
    """
    parts = (SDIST_SHA256, *BUILD_TOOLS, WITHOUT_COMMON, *flags_for(cpu), *BESIDE)
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f"{VERSION}-{cpu}-{sys.implementation.cache_tag}-{digest[:8]}-site"


def site() -> Path:
    """The folder of this machine's class of CPU, or of a slower one made before."""
    folders = [cache_folder() / site_name(cpu) for cpu in cpu_classes()]
    return next(filter(Path.is_dir, folders), folders[0])


def bindings() -> Any:
    """llama.cpp's bindings of the environment, else of the folder; they publish no types.

    Raises ``ImportError`` and the errors of an unfit build's loading.
    """
    try:
        return importlib.import_module(MODULE)
    except ModuleNotFoundError:
        from hooks import ownership  # none of ours is needed to build: this may run by its path

        folder = site()
        if not folder.is_dir():
            raise
        if reason := ownership.reason_against(os.fsencode(folder), ownership.PROGRAM):
            raise ImportError(f"{folder} is not used: {reason}") from None
        sys.path.append(str(folder))
        return importlib.import_module(MODULE)


def make_ready(pip: Sequence[str]) -> Path:
    """The folder, built and unpacked if it is not there: minutes once.

    Raises ``CannotBuild``; nothing half-made is left then, nor when it is interrupted.
    """
    folder, cache = site(), cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with only_builder(cache / f"{folder.name}.lock"):
        if folder.is_dir():
            return folder
        for leftover in cache.glob(f"{folder.name}-build-*"):  # of a build that was killed
            shutil.rmtree(leftover, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=f"{folder.name}-build-") as scratch:
            work, log = Path(scratch), cache / f"{folder.name}.log"
            check_it_compiles()
            say(f"building llama-cpp-python {VERSION} once for this machine; this takes minutes")
            wheels = build(work, flags_for(cpu_classes()[0]), log, pip)
            unpack(wheels, work, pip).rename(folder)
    return folder


def unpack(built: Path, work: Path, pip: Sequence[str]) -> Path:
    """Unpack the wheel and what it imports in a folder in ``work``, which is returned."""
    wheels = [str(wheel) for wheel in built.glob("*.whl")]
    words = [*pip, "install", "--no-deps", "--only-binary", ":all:", "--no-input", "--quiet"]
    words += ["--disable-pip-version-check", "--target", str(work / "site"), *wheels, *BESIDE]
    done = subprocess.run(
        words,
        cwd=work,
        env=os.environ | {"PIP_USER": "0"},  # a setting of `user = true` fails with a target
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise CannotBuild(f"unpacking failed: {reason(done.stderr)}")
    return work / "site"
