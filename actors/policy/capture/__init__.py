"""Importance: arousal, novelty, signals, and the capture of memories around a moment."""
