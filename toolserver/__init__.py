"""The tool server: an agent notes and looks up by its own hand, over the model context protocol."""
