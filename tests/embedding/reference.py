"""BERT in numpy, straight from its paper: what llama.cpp's vectors are held against.

Devlin et al. 2018, arXiv 1810.04805, section 3, with the layer of Vaswani et al. 2017 (post-norm)
and the mean over all tokens as the sentence's vector.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating[Any]]


def vector(weights: Mapping[str, Array], tokens: Sequence[int], *, heads: int) -> Array:
    """The unit vector of a sentence."""
    hidden = (
        weights["embeddings.word_embeddings.weight"][list(tokens)]
        + weights["embeddings.position_embeddings.weight"][: len(tokens)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    hidden = _normalised(weights, "embeddings.LayerNorm", hidden)
    blocks = {name.split(".")[2] for name in weights if name.startswith("encoder.layer.")}
    for block in sorted(blocks, key=int):
        hidden = _layer(weights, f"encoder.layer.{block}", hidden, heads)
    pooled: Array = hidden.mean(axis=0)
    return pooled / np.linalg.norm(pooled)


def _layer(weights: Mapping[str, Array], at: str, hidden: Array, heads: int) -> Array:
    def split(name: str) -> Array:
        flat = _linear(weights, f"{at}.attention.self.{name}", hidden)
        return flat.reshape(len(hidden), heads, -1).transpose(1, 0, 2)

    queries, keys, values = split("query"), split("key"), split("value")
    scores = queries @ keys.transpose(0, 2, 1) / math.sqrt(queries.shape[-1])
    attention = np.exp(scores - scores.max(axis=-1, keepdims=True))
    attention /= attention.sum(axis=-1, keepdims=True)
    mixed = (attention @ values).transpose(1, 0, 2).reshape(hidden.shape)
    attended = _linear(weights, f"{at}.attention.output.dense", mixed)
    hidden = _normalised(weights, f"{at}.attention.output.LayerNorm", hidden + attended)
    inner = _linear(weights, f"{at}.intermediate.dense", hidden)
    gelu = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
    outer = _linear(weights, f"{at}.output.dense", gelu)
    return _normalised(weights, f"{at}.output.LayerNorm", hidden + outer)


def _linear(weights: Mapping[str, Array], at: str, hidden: Array) -> Array:
    return hidden @ weights[f"{at}.weight"].T + weights[f"{at}.bias"]


def _normalised(weights: Mapping[str, Array], at: str, hidden: Array) -> Array:
    centred: Array = hidden - hidden.mean(axis=-1, keepdims=True)
    scaled: Array = centred / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + 1e-12)
    return scaled * weights[f"{at}.weight"] + weights[f"{at}.bias"]
