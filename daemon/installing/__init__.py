"""Connecting agents: what stands in their files, and how these are changed and given back."""
