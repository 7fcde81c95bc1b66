"""The language server: what the daemon remembers, shown where an editor's user reads."""
