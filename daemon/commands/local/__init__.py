"""Commands with work of their own at the terminal: files, pipes, this machine, starting or stopping a daemon."""
