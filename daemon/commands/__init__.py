"""The command line: the table of its commands, those with work of their own, and what all of them share."""
