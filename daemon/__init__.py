"""The host process: composition root, supervisor, socket, storage, embedding worker."""

__version__ = "0.1.0"
