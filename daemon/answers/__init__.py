"""Answers to clients' questions: one module a subject, each a thin way to the actors."""
