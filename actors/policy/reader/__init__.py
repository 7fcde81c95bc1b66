"""The reader: what of a session it is shown, what it may answer, and what of that holds."""
