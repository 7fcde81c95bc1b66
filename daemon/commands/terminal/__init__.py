"""Ground of every command: asking the daemon, and showing the answer to a person or a program."""
