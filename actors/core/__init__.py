"""Ground of every actor: mailboxes, questions under a deadline, the clock, files, what went wrong."""
