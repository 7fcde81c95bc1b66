"""Tags of turns, and the turns captured around an important moment."""
