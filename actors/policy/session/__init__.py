"""Sessions: attention, citation, the ledger of notes, pressure of the context."""
