"""Sessions of agents: their attention, their ledger of notes, their intentions, how full their context is."""
