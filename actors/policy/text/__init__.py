"""Words, phrases, pieces and vectors of a text, without a thought of what it is about."""
