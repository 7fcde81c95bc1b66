"""How well recall finds what is known to be right: ground truth, figures, and their history."""
