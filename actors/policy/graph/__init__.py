"""What memories have to do with each other: causes, links, and activation that spreads along them."""
