"""Plans to tidy up, which wait for a person; the archivist proposes them."""
