"""What is found out while nobody is looking."""
