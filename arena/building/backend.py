"""Builds the package: as plain Python, or with the rules that search and step compiled to C.

``pip install .`` is plain and needs no compiler. With ``ARENA_COMPILED=1`` in the environment mypyc
translates the modules in `COMPILED` from the very same sources, which takes a C compiler and the
headers of Python. Editable installations are always plain: a compiled module would hide later
edits of its source.

Named by ``pyproject.toml`` twice: as build backend, for what a build requires, and for its command
`Wheel`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.bdist_wheel import bdist_wheel

__all__ = [
    "Wheel",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

COMPILED = {
    "arena/rules": ("cards", "deal", "layoffs", "meld_tables", "melds"),
    "arena/rules/gin": ("actions", "hand", "legal", "moves", "scoring", "showdown", "steps"),
    "arena/rules/indian": (
        "cards", "groups", "hand", "moves", "outcome", "points", "search", "state",
    ),
}  # fmt: skip
"""Where nearly all time of play without a network goes, by folder."""

MYPY = "mypy[mypyc]>=1.15"


def is_wanted() -> bool:
    """Whether to compile."""
    return os.environ.get("ARENA_COMPILED", "") not in ("", "0")


def get_requires_for_build_wheel(
    config_settings: Mapping[str, str | list[str] | None] | None = None,
) -> Sequence[str]:
    """What a build needs beside setuptools; see PEP 517."""
    plain = build_meta.get_requires_for_build_wheel(config_settings)
    return [*plain, MYPY] if is_wanted() else plain


class Wheel(bdist_wheel):
    """A wheel, for every machine or with modules compiled for this one."""

    def finalize_options(self) -> None:
        """Name the extensions before the wheel's own name is made, which tells of them."""
        if is_wanted():
            from mypyc.build import mypycify

            sources = [f"{at}/{name}.py" for at, names in COMPILED.items() for name in names]
            extensions: list[Any] = mypycify(sources, group_name="gin_arena")
            self.distribution.ext_modules = extensions
        super().finalize_options()
