"""Words, phrases, pieces and vectors of a text, and the `Turn`: whose words a prompt is made of, read once for all who ask."""
