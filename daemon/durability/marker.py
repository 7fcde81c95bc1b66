"""The marker beside the database: what was in it, so that its loss is noticed."""

from dataclasses import dataclass

import msgspec

from daemon.home import Home, whole_file


@dataclass(frozen=True, slots=True)
class Marker:
    """Contents of the marker file beside the database."""

    store_id: str
    memories: int


def read_marker(home: Home) -> Marker | None:
    """The marker, or ``None`` when there is none that can be read."""
    try:
        return msgspec.json.decode(home.marker.read_bytes(), type=Marker)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def write_marker(home: Home, marker: Marker) -> None:
    """Replace the marker in one step."""
    with whole_file(home.marker, durable=True) as file:
        file.write(msgspec.json.encode(marker))
