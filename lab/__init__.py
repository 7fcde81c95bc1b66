"""The laboratory: plays lives of the daemon, judges its findings, measures its costs."""
