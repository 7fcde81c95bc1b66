"""Intentions: matters to be reminded of later."""
