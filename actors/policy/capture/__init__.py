"""Importance: arousal, novelty, signals; what a turn touched, and the capture of turns around a moment."""
