"""The calibration of the gate in the store, and what it is measured on."""

from __future__ import annotations

import json

from actors.gate.rows import CalibrationRow
from actors.gate.writes import Calibrated
from actors.policy.gate.calibration import Quantiles
from daemon.storage.sql import Sql


def calibrate(sql: Sql, found: Calibrated) -> int:
    """Keep what was measured; of a model the latest."""
    sql.rows(
        "INSERT INTO calibration VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " at = excluded.at, memories = excluded.memories, strangers = excluded.strangers,"
        " neighbours = excluded.neighbours",
        (
            found.model,
            found.at,
            found.memories,
            json.dumps(found.quantiles.strangers),
            json.dumps(found.quantiles.neighbours),
        ),
    )
    return 1


def calibrations(sql: Sql) -> dict[str, CalibrationRow]:
    """What was measured of each model."""
    rows = sql.rows("SELECT model, at, memories, strangers, neighbours FROM calibration")
    return {
        model: CalibrationRow(
            model,
            at,
            memories,
            Quantiles(tuple(json.loads(strangers)), tuple(json.loads(neighbours))),
        )
        for model, at, memories, strangers, neighbours in rows
    }


def model_in_use(sql: Sql) -> str:
    """The model that the vectors are of; empty when there are none."""
    rows = sql.rows("SELECT value FROM store WHERE name = 'model'")
    return str(rows[0][0]) if rows else ""


def sampled_vectors(sql: Sql, limit: int) -> list[bytes]:
    """The first vectors of at most ``limit`` memories, spread evenly over the store."""
    found = sql.rows(
        "SELECT content_hash FROM chunk WHERE ordinal = 0 ORDER BY memory_id",
    )
    step = max(1.0, len(found) / limit)
    picked = [found[int(place * step)][0].hex() for place in range(min(limit, len(found)))]
    rows = sql.rows(
        # The cache has each vector as a row; sqlite-vec takes four times as long to find one.
        "SELECT e.vector FROM json_each(?) picked JOIN embedding_cache e"
        " ON e.content_hash = unhex(picked.value)"
        " AND e.model = (SELECT value FROM store WHERE name = 'model') ORDER BY picked.key",
        (json.dumps(picked),),
    )
    return [bytes(vector) for (vector,) in rows]
