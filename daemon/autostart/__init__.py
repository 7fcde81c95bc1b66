"""The daemon as a service of the user's session: the files for it, and its word to who watches it."""
