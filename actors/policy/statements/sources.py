"""Sources of memories outside of the rules: who brought them. A command reads them without the rules."""

from typing import Final

IMPORTED: Final = "import"
IMPORTED_NOTICED: Final = "noticed-import"  # nobody stated or confirmed it where it comes from
IMPORTS: Final = frozenset({IMPORTED, IMPORTED_NOTICED})
BY_HAND: Final = frozenset({"hand", "editor", IMPORTED})
NOTICED: Final = "dream"  # insights
DEMANDED: Final = "demand"  # what a person asks for in several sessions, as an insight quotes it
AGENT: Final = "agent"  # notes that an agent writes by itself
READER: Final = "reader"  # notes of the reader that quote what a person typed
READER_NOTICED: Final = "noticed-reader"  # with a quotation of an agent or a tool
SHARED: Final = "shared"  # others' notes in a repository trusted by a person
READ: Final = frozenset({READER, READER_NOTICED})
