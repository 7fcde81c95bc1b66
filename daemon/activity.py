"""Presence: the time of somebody's last act, and so the one owner of *idle*.

The dispatcher shows every arriving frame. Hook events count, and commands, and edits: an editor
asks for the matches of a text when it changes, but also when the store does, so a text counts when
it differs from the last one. Merely watching clients (status, watch) do not count.
"""

import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, cast

import trio

from actors.core.equipment import Foreground
from daemon.shapes.replies import Asker

FILES: Final = 256  # with their last text known
ANYWHERE: Final = ""  # a text that is of no file


@dataclass(slots=True)
class Activity(Foreground):
    """Doings of people and agents."""

    _person: float = -math.inf  # monotonic
    _texts: OrderedDict[str, bytes] = field(default_factory=OrderedDict[str, bytes])

    def heard(self, asker: Asker, body: object) -> None:
        """A frame arrived; it may be somebody. A program works, for whom no person need be there."""
        if asker == "onlooker" or (asker == "editor" and not self._is_edit(body)):
            return
        self.happened()
        if asker != "program" and not _by_agent(body):
            self.person_came()

    def person_came(self) -> None:
        """A person typed a prompt, edited a file or gave a command, now."""
        self._person = trio.current_time()

    def person_idle_for(self) -> float:
        """Seconds since a person did something; infinite when none did yet."""
        return trio.current_time() - self._person

    def _is_edit(self, body: object) -> bool:
        """Return whether the editor shows another text of this file than it did before."""
        asked: Mapping[str, Any] = {}
        if isinstance(body, Mapping):
            asked = cast("Mapping[str, Any]", body)
        path, text = str(asked.get("path") or ANYWHERE), str(asked.get("text", ""))
        digest = blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        before = self._texts.pop(path, None)
        self._texts[path] = digest
        while len(self._texts) > FILES:
            self._texts.popitem(last=False)
        return digest != before


def _by_agent(body: object) -> bool:
    """Tell whether a tool of an agent asks."""
    return isinstance(body, Mapping) and cast("Mapping[str, Any]", body).get("agent_in") is not None
