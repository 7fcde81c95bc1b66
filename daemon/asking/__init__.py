"""Ground of every client of the daemon: its errors, the address, and a connection without an event loop."""
