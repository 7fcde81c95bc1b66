"""Recall: the answer to a question, a prompt or an open file."""
