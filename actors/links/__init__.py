"""What memories have to do with each other: associations and causes."""
