"""Ground of every actor: mailboxes, questions under a deadline, the clock, who is there, what went wrong."""
