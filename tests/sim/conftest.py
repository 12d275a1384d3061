"""The simulator is an extra: without numpy there is nothing to test here."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("numpy") else ["test_*.py"]
