"""Models of this machine, for tests of the real one; what tests start finds none of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from daemon.home import chosen_home

# The workers of one run have it from the process that starts them: for them all is moved already.
_FOUND: Final = "MODELS_FOR_TESTS_OF_REVERIE"
_folders = [str(folder) for folder in chosen_home().model_folders]

MODELS: Final = [
    Path(folder)
    for folder in os.environ.setdefault(_FOUND, os.pathsep.join(_folders)).split(os.pathsep)
]
os.environ["XDG_DATA_HOME"] = "/nonexistent"  # every home shares the models that lie there
