"""The command line: one module a topic, imported when one of its commands is used."""
