"""Indexes in memory and on disk for recall beside SQLite: words with their spellings, vectors, tokens."""
