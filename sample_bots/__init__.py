"""Contestants, each a file that runs by itself, in rising strength."""
