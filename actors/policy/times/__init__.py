"""Times as people say them, and the validity of a memory."""
