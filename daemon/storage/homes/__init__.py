"""What goes between homes beside living memories: endings and erasures of one person, shared notes of several."""
