"""What would be tidied up, and waits for a person."""
