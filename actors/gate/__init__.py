"""The prediction-error gate: keep, rewrite, supersede or drop a new text."""
