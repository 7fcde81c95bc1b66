"""How well recall finds: measures of a ranked answer, and how much they depend on a constant."""
