"""Commands about this machine: they work without a daemon, or start, stop and examine one."""
