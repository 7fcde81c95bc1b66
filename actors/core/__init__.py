"""What every actor stands on: mailboxes, questions under a deadline, the clock, files."""
