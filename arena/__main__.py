"""Lets ``python -m arena`` do what the ``arena`` command does."""

from arena.cli import main

if __name__ == "__main__":
    main()
