"""Agents: their names of events, tools and fields, the form of their answers and the place of their settings."""
