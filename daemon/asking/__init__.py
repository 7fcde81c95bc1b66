"""Ground of every client of the daemon: its errors, the address, and a connection that needs no event loop."""
