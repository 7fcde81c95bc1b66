"""Engines of the reader: programs, servers and a local model, each behind one question.

An engine is an ``actors.policy.reader.exchange.Engine``: a request in, an answer or one failure out.
"""
