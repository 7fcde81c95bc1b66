"""Documents: which files are prose, their sections by heading, and the items worth keeping."""
