"""Secrets: finding them in a text, a command or a file, and taking them out before anything is kept.

The hook loads these modules by their path, on Python 3.8 and later: see `redaction`.
"""
