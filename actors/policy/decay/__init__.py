"""What a memory keeps: the forgetting curve, states, use, importance, capture, and what is put away."""
