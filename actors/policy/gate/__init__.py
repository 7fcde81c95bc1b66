"""Whether a text is new, known, or takes the place of another: the prediction-error gate."""
