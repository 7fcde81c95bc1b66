"""Subjects of the daemon, each in one module: what is asked, what answers, how it is typed, printed and offered.

The terminal, an editor and an agent's tools import these modules as well, so what only the daemon
has (actors, the store, trio) is imported inside the functions that answer.
"""
