"""What happens, for whoever follows it."""
