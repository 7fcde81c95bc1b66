"""Indexes in memory and on disk that recall searches beside SQLite: words, vectors, spelling, tokens."""
