"""What a daemon compiles and imports by itself after its start: those that are forked find it done.

It is most of what a daemon does in a test: 90 ms of CPU each. That it is done unasked is a test of
``tests/daemon/test_ready.py``, of a process that nobody prepared.
"""

from actors.policy.patterns import patterns
from actors.policy.secrets.redaction import redacted
from daemon.api.operation import subjects
from daemon.dispatch import requests

redacted("a few words")
COMPILED = [stated.compiled for stated in patterns()]
SUBJECTS = list(subjects())
requests()
