"""The rules, pure: values in, values out. One room a subject; rooms import downwards only.

Time, randomness and settings are arguments. Whoever can call a function from a notebook with two
numbers has found a rule; whoever needs a clock, a file or a mailbox belongs to an actor.
"""
