"""Passages: where documents, summaries and turns are cut."""
