"""The view: pages for a person's browser, served by a light process, a client of the daemon."""
