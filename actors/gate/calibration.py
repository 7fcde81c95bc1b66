"""Calibration of the embedding model in use: the gate's scale for its cosines.

The gate owns one ``Calibration``. It is looked at when the gate starts and when vectors have arrived,
and measured on a sample when vectors of another model than the default one are complete or the store
has doubled. The rules are in ``actors.policy.gate.calibration``.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from actors.policy.gate.calibration import (
    NOTES,
    SAME,
    SAMPLE,
    Quantiles,
    Scale,
    is_due,
    off_scale,
    on_scale,
    quantiles,
    scale,
)
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Calibration:
    """The model in use, and the scale of its cosines."""

    default: str = ""  # the model whose cosines the gate's settings speak of
    reference: Quantiles = NOTES  # of that one
    model: str = ""
    memories: int = 0  # living ones at the time of measuring
    scale: Scale = SAME
    arrived: int = 0  # memories that got vectors since then

    def statistics(self, thresholds: Sequence[float] = ()) -> dict[str, Any]:
        """The model, the size of its sample, and its cosines for these similarities."""
        return {
            "model": self.model,
            "memories": self.memories,
            "translated": self.scale is not SAME,
            "cosines": {f"{one:.2f}": round(off_scale(one, self.scale), 3) for one in thresholds},
        }

    def similarity(self, cosine: float) -> float:
        """Similarity to the gate, 0..1, of a cosine of the model in use."""
        return on_scale(cosine, self.scale)

    async def look(self, reader: ReadingSide, *, arrived: int) -> None:
        """Take note of the model in use, and measure it when due."""
        self.arrived += arrived
        model = await reader.model_in_use()
        if model != self.model:
            self.model, self.memories, self.scale = model, 0, SAME
        if model in ("", self.default) or self.arrived < self.memories:  # it cannot have doubled
            return
        counts = await reader.counts()
        if not is_due(self.memories, counts.memories, counts.unvectored):
            return
        vectors = await reader.sampled_vectors(SAMPLE)
        sample = [np.frombuffer(vector, np.float32) for vector in vectors]
        found = quantiles(np.stack(sample)) if sample else None  # another model was chosen just now
        if found is not None and model == await reader.model_in_use():
            self.memories, self.arrived, self.scale = (
                counts.memories,
                0,
                scale(found, self.reference),
            )
            log.info("calibrated model=%s memories=%d", model, self.memories)
