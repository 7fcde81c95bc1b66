"""Shapes shared by several operations: replies, views of memories, links and sessions, and rows of files.

The terminal, an editor and an agent's tools import them as well. No actor is imported here.
"""
