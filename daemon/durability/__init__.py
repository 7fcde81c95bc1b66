"""Durability: safety of a home's files, beyond SQLite's own; the content of tables is ``daemon.storage``'s."""
