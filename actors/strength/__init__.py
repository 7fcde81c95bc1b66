"""Strength: the effect of use and of a person's opinion on a memory."""
