"""Secrets: what in a text, a command or a file is one, and how it is taken out before anything is kept."""
