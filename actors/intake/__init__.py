"""Events of agents: made durable, passed on, and read for memories worth keeping."""
