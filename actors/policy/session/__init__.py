"""What a session attends to, what it was told, how full its context is, what comes next."""
