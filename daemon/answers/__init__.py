"""Answers to what clients ask: one module a topic, each a thin way to the actors."""
