"""A model file for the engine ``llama``, judged by its header before it is loaded."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.embedding.gguf import NotGguf, read_size
from hooks import ownership

ENOUGH: Final = 1_500_000_000
"""Parameters below which no published figure shows a model that reads sessions well; one of 135
million (SmolLM2-135M-Instruct) wrote nothing of use over six projects."""


class NoModel(Exception):
    """The file is no model fit to read sessions; the text says why."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """Header of a model file, as far as it is of use."""

    name: str
    parameters: int
    context: int  # tokens it was trained for; 0: not said

    @property
    def warning(self) -> str:
        """Warning for a person before its use; empty when there is none."""
        if self.parameters >= ENOUGH:
            return ""
        return (
            f"{self.parameters / 1e6:,.0f} million parameters are too few to read sessions: "
            "expect nothing of use below 1.5 billion"
        )


def model_file(path: Path) -> ModelFile:
    """The model of this file. Raises ``NoModel``; reads the header alone."""
    if reason := ownership.reason_against(os.fsencode(path.absolute())):
        raise NoModel(reason)
    try:
        metadata, parameters = read_size(path)
    except NotGguf as error:
        raise NoModel(f"no GGUF model: {error}") from None
    except OSError as error:
        raise NoModel(error.strerror or "it cannot be read") from None
    kind = str(metadata.get("general.architecture", ""))
    if f"{kind}.pooling_type" in metadata or kind.endswith("bert"):
        raise NoModel(f"a model of the kind {kind} makes vectors and writes nothing")
    if kind in {"", "clip"} or "tokenizer.ggml.model" not in metadata:
        raise NoModel("it holds no model that writes text")
    context = metadata.get(f"{kind}.context_length", 0)
    return ModelFile(
        str(metadata.get("general.name") or path.stem),
        parameters,
        context if isinstance(context, int) else 0,
    )
