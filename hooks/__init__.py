"""Hooks: what an agent runs once an event, on the standard library alone."""
