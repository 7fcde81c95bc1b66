"""Agents: what each calls its events, tools and fields, how it is answered and where it is connected."""
