"""Profiles of the known embedding models, which are here, and how a model is told from another.

A model is known by its name in the file or by the file's name. An unknown GGUF is taken at its own word.
"""

import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from daemon.embedding.gguf import NotGguf, Value, read_header
from daemon.home import Home
from daemon.settings import Embedding

Pooling = Literal["mean", "cls", "last"]


class Unsuitable(Exception):
    """A GGUF file, but not of a model for sentence embeddings."""


class Profile(Struct, frozen=True):
    """Profile of a model: how texts become vectors."""

    name: str
    pooling: Pooling
    query_prefix: str = ""
    document_prefix: str = ""
    normal_form: Literal["NFC", "NFD"] = "NFD"

    def prepared(self, text: str) -> str:
        """`text` in the Unicode form the model's tokenizer was made for."""
        return unicodedata.normalize(self.normal_form, text)


class Pinned(Struct, frozen=True):
    """The model provisioned by default: its file, known to the byte."""

    name: str
    file: str
    sha256: str
    dims: int
    self_test: str
    expected: str  # the self-test's vector, 8 bits a number, hexadecimal


# WordPiece models get NFD: llama.cpp splits composed Hangul otherwise than the models' own
# tokenizer does (cosine .723 to the reference; .999997 after NFD). docs/adr/0005
KNOWN: Final = (
    Profile("all-MiniLM-L6-v2", "mean"),
    Profile(
        "bge-small-en-v1.5",
        "cls",
        query_prefix="Represent this sentence for searching relevant passages: ",
    ),
    Profile(
        "multilingual-e5-small",
        "mean",
        query_prefix="query: ",
        document_prefix="passage: ",
        normal_form="NFC",
    ),
    Profile(
        "nomic-embed-text-v1.5",
        "mean",
        query_prefix="search_query: ",
        document_prefix="search_document: ",
    ),
)

_ALIASES: Final = {"minilm": "all-MiniLM-L6-v2"}
_POOLINGS: Final[dict[object, Pooling]] = {1: "mean", 2: "cls", 3: "last"}
_ENCODERS: Final = {"bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "modern-bert"}

MINILM: Final = Pinned(
    name="all-MiniLM-L6-v2",
    file="all-MiniLM-L6-v2-f16.gguf",
    sha256="c2235b482f836fbd00707fff00095a039484356d38e0bc43f5babd02fa03ca0b",
    dims=384,
    self_test="The migration runs before the workers start.",
    expected=(
        "14d010124c09b1a1c4064b22d8fed51adaa91b04e1d9bcf0301001000122c6faea6f455171f50d023bb6e51e"
        "0e2618daee4b24f4e519102925b50e09060bd21615d007d8ede7ea06af21f8cf03180ea50be9ca08dd26e7f0"
        "250b10e2e51dffde05484f11ebdc4a12cdcac9fcc9ee2603092e00eae9ecc2631e33b2eda31bf400ffc91326"
        "e5ccbbeb38e8b4db11fdf6c10cd11b2b59b5d22208f8cbcc1426b42ef8f9b1423ae003c6eef9120b52fa260a"
        "564dfbfd2fe90cd60918cc0928f0e14a49f80a15f9ff00f4ec19eb41da1f10e1262adbcf6bff21e014db3bf9"
        "2b36e80010fbe61a21ff4546fa43d8c82e12f4f4470e231b262ad3011f2af0e2cae9dc13ee12e1419d36231d"
        "09b61820d119f201e1e1384e2eef05e6e9d6bf082afb431702bb161d35df24f681e2bd9e22feededaabf1d10"
        "1ae80dd5172fcac005dccb00001c12fa1bf641453e3af647580cf14603e9d9c6c325e81a0028cf046f28bd31"
        "dde9cb4c1718eb9aee43dbf8e9a9b735ecc51ce7eb202efcf9e44c0fdf1a401b"
    ),
)


def profile(metadata: Mapping[str, Value], file: str) -> Profile:
    """Profile of the model with this GGUF header and file name.

    Raises Unsuitable for a model generating text.
    """
    architecture = str(metadata.get("general.architecture", ""))
    own_pooling = _POOLINGS.get(metadata.get(f"{architecture}.pooling_type"))
    name = str(metadata.get("general.name", ""))
    known = _known(name) or _known(file)
    if known:
        return known
    if own_pooling is None and architecture not in _ENCODERS:
        raise Unsuitable(f"a {architecture or 'nameless'} model makes no sentence embeddings")
    word_pieces = metadata.get("tokenizer.ggml.model") == "bert"
    return Profile(name or file, own_pooling or "mean", normal_form="NFD" if word_pieces else "NFC")


def identity(sha256: str, pooling: str, dims: int) -> str:
    """The name under which vectors are stored; vectors of two identities never meet."""
    return f"{sha256[:12]}-{pooling}-{dims}"


DEFAULT: Final = identity(MINILM.sha256, "mean", MINILM.dims)
"""Identity of the model behind the gate's thresholds and weights (docs/adr/0007)."""


def _known(name: str) -> Profile | None:
    folded = name.lower().replace("_", "-").replace(" ", "-")
    sought = _ALIASES.get(folded, folded).lower()
    return next((known for known in KNOWN if known.name.lower() in sought), None)


# ---- models of a home


class Installed(Struct, frozen=True):
    """A model that is here, as its file says."""

    name: str
    path: str
    size: int  # bytes
    dimensions: int


def described(path: Path) -> Installed:
    """The model in a GGUF file. Raises ``NotGguf``, ``Unsuitable`` and ``OSError``."""
    metadata, _ = read_header(path)
    architecture = str(metadata.get("general.architecture", ""))
    width = metadata.get(f"{architecture}.embedding_length")
    return Installed(
        name=profile(metadata, path.name).name, path=str(path), size=path.stat().st_size,
        dimensions=width if isinstance(width, int) else 0,
    )  # fmt: skip


def installed(models_dir: Path) -> list[Installed]:
    """The models in a folder; what is none is left out."""
    found: list[Installed] = []
    for path in sorted(models_dir.glob("*.gguf")):
        with suppress(NotGguf, Unsuitable, OSError):
            found.append(described(path))
    return found


def model_file(home: Home, chosen: str) -> Path | None:
    """The file of the setting `embedding.model`, in this home or in the one of all homes."""
    paths = (located(folder, chosen) for folder in home.model_folders)
    return next((path for path in paths if path is not None), None)


def chosen(home: Home, settings: Embedding) -> tuple[Path | None, str]:
    """The model's file by these settings, and the reason why there would be no vectors without one."""
    if not settings.enabled:
        return None, "embedding.enabled is false"
    if settings.model:
        absent = f"the model {settings.model!r} is not here: see `reverie model list`"
    else:
        absent = "no embedding model: run `reverie model setup`"
    return model_file(home, settings.model), absent


def located(models_dir: Path, chosen: str) -> Path | None:
    """The file of the setting `embedding.model`, or None when it is not here.

    "" means the default; otherwise a path, or the name of a model here or its file.
    """
    path = models_dir / Path(chosen or MINILM.file).expanduser()  # an absolute one stays as it is
    if path.is_file():
        return path
    named = [one.path for one in installed(models_dir) if chosen and one.name == chosen]
    return Path(named[0]) if named else None
