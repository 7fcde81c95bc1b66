"""Tables of examples, beside the tests that hold the code to them: JSON of the same name, a row a line."""

import json
from pathlib import Path
from typing import Any


def rows(test: str, name: str) -> list[Any]:
    """Read a table of the test of this file."""
    found: list[Any] = json.loads(Path(test).with_suffix(".json").read_text("utf-8"))[name]
    return found
