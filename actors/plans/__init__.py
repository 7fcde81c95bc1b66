"""Plans to tidy up; the archivist carries out those about what no person said, and proposes the others."""
