"""References: the files, symbols and commands named in a text, their definitions in the project, whether they still
hold, and the places of hints in an editor."""
