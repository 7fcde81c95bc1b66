"""The command line: the table of its commands, the ones with work of their own, and their common ground."""
