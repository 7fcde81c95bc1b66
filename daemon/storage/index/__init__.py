"""Indexes in memory and on disk that recall searches beside SQLite: words with their spellings, vectors, tokens."""
