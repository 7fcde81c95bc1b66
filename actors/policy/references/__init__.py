"""References: the files, symbols and commands that a text names, where the project defines them, whether they still hold, and where an editor hints at them."""
