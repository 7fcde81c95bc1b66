"""The tables as commented SQL: one module a topic."""
