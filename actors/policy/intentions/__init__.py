"""Intentions: their triggers, when they are due, and how a prompt states one."""
