"""Tags of turns, and what an important moment captures around it."""
