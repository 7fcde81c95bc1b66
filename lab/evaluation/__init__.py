"""Evaluation of recall on known answers: ground truth, figures, and their history."""
