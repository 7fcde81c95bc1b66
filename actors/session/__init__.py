"""Sessions of agents: their attention, their ledger of notes, how full their context is."""
