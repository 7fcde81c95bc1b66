"""Hooks: programs run by an agent once an event, on the standard library alone."""
