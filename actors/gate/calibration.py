"""Calibration of the embedding model in use: the scale on which the gate reads its cosines.

The gate owns one ``Calibration``. It is looked at when vectors have arrived, measured on a sample
when those of a new model are complete or the store has doubled, and kept in the store. The rules
are in ``actors.policy.gate.calibration``.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from actors.gate.writes import Calibrated
from actors.memory.ports import Reader
from actors.policy.gate.calibration import (
    NOTES,
    SAME,
    SAMPLE,
    Scale,
    is_due,
    off_scale,
    on_scale,
    quantiles,
    scale,
)

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Calibration:
    """The models that were measured, and the one in use."""

    default: str = ""  # the model whose cosines the gate's settings speak of
    model: str = ""
    measured: dict[str, Calibrated] = field(default_factory=dict[str, Calibrated])
    scale: Scale = SAME
    arrived: int = 0  # memories that got vectors since the last look

    def statistics(self, thresholds: Sequence[float] = ()) -> dict[str, Any]:
        """The model, what it was measured on, and its cosines for these similarities."""
        row = self.measured.get(self.model)
        return {
            "model": self.model,
            "memories": row.memories if row else 0,
            "translated": self.scale is not SAME,
            "cosines": {f"{one:.2f}": round(off_scale(one, self.scale), 3) for one in thresholds},
        }

    def similarity(self, cosine: float) -> float:
        """Similarity to the gate, 0..1, of a cosine of the model in use."""
        return on_scale(cosine, self.scale)

    async def look(self, reader: Reader, at: float, *, arrived: int) -> Calibrated | None:
        """Take note of the model in use; what was measured, when something was."""
        self.arrived += arrived
        model = await reader.model_in_use()
        if not model:
            return None
        if model != self.model:
            self.measured = await reader.calibrations()
            self._use(model)
        row = self.measured.get(model)
        if row is not None and self.arrived and self.arrived < row.memories:
            return None  # it cannot have doubled
        counts = await reader.counts()
        before = row.memories if row is not None else None
        if not is_due(before, counts.memories, counts.unvectored):
            return None
        return await self._measured(reader, model, counts.memories, at)

    async def _measured(
        self, reader: Reader, model: str, living: int, at: float
    ) -> Calibrated | None:
        vectors = await reader.sampled_vectors(SAMPLE)
        sample = [np.frombuffer(vector, np.float32) for vector in vectors]
        found = quantiles(np.stack(sample)) if sample else None  # another model was chosen just now
        if found is None or model != await reader.model_in_use():
            return None
        self.arrived = 0
        self.measured[model] = Calibrated(model, at, living, found)
        self._use(model)
        log.info("calibrated model=%s memories=%d", model, living)
        return self.measured[model]

    def _use(self, model: str) -> None:
        """Read cosines on the scale of this model; the default one's stay as they are."""
        self.model = model
        row, own = self.measured.get(model), self.measured.get(self.default)
        if row is None or model == self.default:
            self.scale = SAME
        else:
            self.scale = scale(row.quantiles, own.quantiles if own is not None else NOTES)
