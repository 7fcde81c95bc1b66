"""Passages: what was written and said, in pieces, kept to be searched and never remembered."""
