"""Answers to what clients ask: one module a subject, each a thin way to the actors."""
