"""The laboratory: plays lives of the daemon, asks what it finds, measures what it costs."""
