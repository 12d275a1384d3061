"""The games, pure: state in, state out.

Nothing in this folder does I/O, reads a clock, logs, or draws a random number: a deck arrives
already shuffled. Imports are limited to the pure parts of the standard library and
``arena.errors``.
"""
