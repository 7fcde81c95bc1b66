"""The graph of memories: causes, links, and activation spreading along them."""
