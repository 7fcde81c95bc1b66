"""Dreaming: replay, connections, insights, plans, summaries."""
