"""The graph of memories: causes, links, and activation that spreads along them."""
