"""Graphs as files: GraphML, and a page that draws itself."""
