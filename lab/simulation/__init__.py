"""A life on its own clock: the daemon's actors and store, played a script, without waiting."""
