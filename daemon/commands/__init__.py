"""The command line: one module a subject, imported when one of its commands is used."""
