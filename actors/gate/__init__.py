"""The prediction-error gate: keep, rewrite, supersede or drop a text that wants to be remembered."""
