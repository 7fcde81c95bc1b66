"""Times as people say them, and when something holds."""
