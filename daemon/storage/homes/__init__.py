"""News between two homes of one person beside living memories: ended ones, and erased ones."""
