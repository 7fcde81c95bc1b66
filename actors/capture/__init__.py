"""Importance, tags, and what an important moment captures around it."""
