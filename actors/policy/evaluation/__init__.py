"""Evaluation: measures of a ranked answer, and their sensitivity to a constant."""
