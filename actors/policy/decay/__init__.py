"""Decay with time and use: the forgetting curve, states, tiers, confidence."""
