"""The tables as commented SQL: one module a subject."""
