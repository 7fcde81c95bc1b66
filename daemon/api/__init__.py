"""Subjects of the daemon, each in one module: its questions, their answers, and how they are typed, printed and
offered.

The terminal, an editor and an agent's tools import these modules as well, so the daemon's own parts
(actors, the store, trio) are imported inside the answering functions.
"""
