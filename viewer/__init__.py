"""The view: pages for a person's browser, served by a light process that is a client of the daemon."""
