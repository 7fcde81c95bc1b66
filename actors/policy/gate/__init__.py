"""The prediction-error gate: a text as new, known, or the successor of another."""
