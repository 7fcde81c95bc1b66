"""Connecting agents: our entries in their files, and the way of changing and giving back these."""
