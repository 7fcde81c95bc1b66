"""The prediction-error gate: what becomes of a text that wants to be remembered."""
