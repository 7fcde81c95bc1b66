"""Durability: safety of a home's files, beyond SQLite's own.

Here copies of the database are made, checked, rotated and brought back, the marker beside it is
kept, and files damaged, gone or replaced are noticed. The content of the tables is the matter of
``daemon.storage``; a person's requests for it are in ``daemon.commands`` and ``daemon.answers``.
"""
