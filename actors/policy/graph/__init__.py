"""The graph of memories: causes, links, and ways along them."""
