"""Night: dreams, what is put away by plans, and turns kept around an important moment."""
