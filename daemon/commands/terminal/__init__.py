"""What every command shares: asking the daemon, and showing the answer to a person or a program."""
