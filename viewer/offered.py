"""Operations open to the pages, each with its module of ``daemon/api``.

Not here: erasing, changes of settings, ending the daemon, and questions of programs alone.
``tests/viewer/test_offered.py`` has the reason of each.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from daemon.api.operation import Operation, operations

OFFERED: Final = {
    "about": "about",
    "alike": "graph",
    "archival": "forget",
    "archive": "forget",
    "backup-now": "backup",
    "browse": "memories",
    "confirm": "claims",
    "course": "show",
    "day": "journal",
    "decide-plan": "plans",
    "dream": "dreams",
    "dream-show": "dreams",
    "dreams": "dreams",
    "edit": "edit",
    "episode": "episodes",
    "episodes": "episodes",
    "explore": "explore",
    "facets": "memories",
    "feedback": "strength",
    "forecast": "memories",
    "forget": "forget",
    "health": "stats",
    "inbox": "inbox",
    "inbox-edit": "inbox",
    "inbox-judge": "inbox",
    "injections": "injections",
    "insights": "dreams",
    "link": "link",
    "list": "memories",
    "list-intentions": "intentions",
    "list-sessions": "sessions",
    "log": "journal",
    "passage": "passages",
    "passages": "passages",
    "pin": "strength",
    "plan": "plans",
    "plans": "plans",
    "rate": "edit",
    "reader": "reader",
    "reader-now": "reader",
    "reader-show": "reader",
    "recall": "recall",
    "refute": "claims",
    "reinstate": "forget",
    "remember": "remember",
    "set-tier": "edit",
    "set-why": "edit",
    "show": "show",
    "show-intention": "intentions",
    "show-session": "sessions",
    "snapshots": "backup",
    "start-page": "start_page",
    "stats": "stats",
    "status": "status",
    "suppress": "strength",
    "timeline": "timeline",
    "unforget": "forget",
    "unlink": "link",
    "why": "why",
}
# What cannot be taken back is done once a person agreed to it; with ``dry_run`` it is only told.
AGREED_TO: Final = frozenset({"reader-now"})


def offered(name: str) -> type[Operation[Any]]:
    """The operation of this name. Raises ``KeyError`` for one not offered."""
    subject = import_module(f"daemon.api.{OFFERED[name]}")
    return next(one for one in operations(subject) if name == one.NAME)
