"""Gin rummy bot-tournament arena: referee, protocol, tournaments and pages."""

__version__ = "0.1.0"
