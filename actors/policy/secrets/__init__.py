"""Secrets: finding them in a text, a command or a file, and taking them out before anything is kept."""
