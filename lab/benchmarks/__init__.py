"""Measurements beside a baseline, each a program of its own: ``python -m lab.benchmarks.NAME``."""
