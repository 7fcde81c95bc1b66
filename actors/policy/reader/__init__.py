"""The reader: the part of a session shown to it, its possible answers, and the checks of them."""
