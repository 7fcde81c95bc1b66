"""What is known about a question, a prompt or a file."""
