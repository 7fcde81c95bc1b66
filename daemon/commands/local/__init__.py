"""Commands with work of their own at the terminal: files, pipes, this machine, a daemon that starts or stops."""
