"""What an agent's session attends to, has been told, and how full its context is."""
