"""How a memory's strength changes with time and use: the forgetting curve, states, tiers, confidence."""
