"""Night: what a dream goes through and finds, and intentions for later."""
