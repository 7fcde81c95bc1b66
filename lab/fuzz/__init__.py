"""Fuzz: generated input at each border where bytes of others come in, from a seed."""
