"""Statements in a session's texts: facts, claims, conclusions, hypotheses, happenings."""
