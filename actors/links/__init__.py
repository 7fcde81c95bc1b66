"""Links between memories: associations and causes."""
