"""Staleness: files and symbols named by memories in their project, and whether they still hold."""
