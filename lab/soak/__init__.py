"""Soak: a real daemon under mixed load and faults by chance, from a seed, and the invariants."""
