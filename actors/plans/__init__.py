"""Plans to tidy up; the archivist carries out the ones about no person's words, and proposes the others."""
