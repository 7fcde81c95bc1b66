"""Observations, for whoever follows events as they happen."""
