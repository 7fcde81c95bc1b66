"""Evaluation of recall on what is known to be right: ground truth, figures, and their history."""
