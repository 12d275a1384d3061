"""``arena keys``: what a tournament's file may say."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.config_keys import Key


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def keys(name: str | None, as_json: bool) -> None:
    """List every key of a tournament's TOML file: what it means, what is allowed, what holds
    without it, and the option that says the same; with NAME, that key only.

    \b
    arena keys
    arena keys legs
    """
    from arena.config_keys import keys as all_keys
    from arena.errors import UsageError
    from arena.nearest import did_you_mean
    from arena.tournament.formats.registry import FORMATS, written

    found = [key for key in all_keys() if name in (None, key.name, key.name.partition(".")[0])]
    if name is not None and not found:
        known = {part for key in all_keys() for part in (key.name, key.name.partition(".")[0])}
        raise UsageError(f"no key {name!r}{did_you_mean(name, known) or '; see them: arena keys'}")
    if as_json:
        click.echo(json.dumps([asdict(key) for key in found]))
        return
    click.echo("\n".join(_text(key) for key in found))
    if any(key.name == "format" for key in found):
        click.echo("\nFormats")
        for format in FORMATS.values():
            click.echo(_wrapped(f"{written(format.name)}: {format.description}".replace("`", "")))


def _text(key: Key) -> str:
    """A key for a terminal."""
    lines = [f"{key.name}  ({key.option})" if key.option else key.name, key.meaning]
    lines += [f"Allowed: {key.allowed}.", f"Without it: {key.default}."]
    if key.formats:
        lines.append(f"Used by: {', '.join(key.formats)}.")
    first, *rest = lines
    return "\n".join([first, *map(_wrapped, rest)])


def _wrapped(text: str) -> str:
    return click.wrap_text(text, width=96, initial_indent="    ", subsequent_indent="    ")


def table() -> str:
    """All keys as a table in Markdown, for the documentation."""
    from arena.config_keys import keys as all_keys

    lines = ["| key | meaning | allowed | without it | option |", "|---|---|---|---|---|"]
    for key in all_keys():
        used = f" Used by {', '.join(key.formats)}." if key.formats else ""
        option = f"`{key.option}`" if key.option else ""
        cells = (f"`{key.name}`", key.meaning + used, key.allowed, key.default, option)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
