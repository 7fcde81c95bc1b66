"""Statements in a session's texts: facts, wishes, claims, conclusions."""
