"""Importance: arousal, novelty, signals; traces of a turn, and the capture of turns around a moment."""
