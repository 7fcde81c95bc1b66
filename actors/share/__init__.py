"""Shared notes: which files of a repository stand for which memories, and which remotes are trusted."""
