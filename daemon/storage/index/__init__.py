"""Indexes in memory and on disk for recall beside SQLite: words, vectors, tokens."""
