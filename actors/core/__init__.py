"""Ground of every actor: mailboxes, questions under a deadline, the clock, presence, failures."""
