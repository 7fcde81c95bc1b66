"""Passages: pieces of documents and talk, kept to be searched and never remembered."""
