"""Everything a client may ask of the daemon, and what it is answered.

One frozen struct a request; its class says its name on the wire and the type of its
reply. Both ends use these: the daemon validates strictly at its edge (a wrong type is
a ``BadRequest``, never a coercion), the client gets typed replies. No actor is
imported here.
"""
