"""Recall: channels fused, stages, evidence, the decision to be silent, and packing."""
