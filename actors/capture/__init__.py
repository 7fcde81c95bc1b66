"""Tags, and what an important moment captures around it."""
