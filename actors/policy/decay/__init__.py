"""The life of a memory: the forgetting curve, states, use, importance, capture, and archival."""
