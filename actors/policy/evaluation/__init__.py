"""Evaluation: the learning index of a task, from an agent's word about itself before and after."""
