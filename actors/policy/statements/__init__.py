"""Statements in a session's texts: decisions, wishes, claims, points of summaries."""
