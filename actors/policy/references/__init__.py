"""References: the files, symbols and commands that a text names, and whether they still hold."""
