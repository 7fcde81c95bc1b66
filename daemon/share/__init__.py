"""Shared notes: what leaves a home for a repository, and what a trusted repository brings."""
