"""Relevance, kinships and forgetting, by the calendar or by a person's order."""
