"""Shared notes: from a home to a repository, and from a trusted repository to a home."""
