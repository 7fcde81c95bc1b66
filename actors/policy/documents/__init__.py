"""Documents: which files are prose, their sections by heading, the items worth keeping, and folders in one sentence."""
