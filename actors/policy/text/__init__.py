"""Words, phrases and vectors of a text, and the `Turn`: the words of a prompt by their speakers, read once for
all who ask."""
