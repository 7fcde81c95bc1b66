"""What two homes of one person tell each other beside what lives: what ended, and what was erased."""
