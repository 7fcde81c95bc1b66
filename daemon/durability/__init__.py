"""Durability: what keeps the files of a home safe, below what SQLite does by itself.

Here stands what makes, checks, rotates and brings back copies of the database, the marker beside
it, and what notices that a file is damaged, gone or another one. What is in the tables stands in
``daemon.storage``; how a person asks for it in ``daemon.commands`` and ``daemon.answers``.
"""
