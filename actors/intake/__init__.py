"""Events of agents: made durable, told on, and read for what is worth keeping."""
