"""The actors: one folder a subject, each the owner of its state; the rules they go by are in ``policy``."""
