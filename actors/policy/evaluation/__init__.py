"""Evaluation: the learning index of a task, from what an agent says of itself before and after."""
