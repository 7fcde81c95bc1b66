"""What use and people make of a memory."""
