"""Computations of several operations, each a thin way to the actors. They run in the daemon."""
