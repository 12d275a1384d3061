"""Plays one tournament on many machines: who hands out, who plays, and what travels between.

The coordinator is the runner with another venue: it alone owns the database, decides what may be
played and writes what comes back. Workers get sealed chunks of fixtures, ask the bots and return
plain values. Nothing here is imported unless a cluster is asked for; the extra ``cluster`` brings
what it needs.
"""
