"""``arena rules``: what games there are and what exactly is played."""

from __future__ import annotations

import json

import click

from arena.errors import RulesError, UsageError


@click.command()
@click.argument("name", required=False)
@click.option("--set", "changes", metavar="SETTING=VALUE", multiple=True, help="Change a setting.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(name: str | None, changes: tuple[str, ...], as_json: bool) -> None:
    """List the games with a line each; with NAME, its rules in short and its settings in force.

    \b
    arena rules
    arena rules oklahoma --set gin_bonus=20
    """
    from arena.cli.options import parse_changes
    from arena.rules.games import all_variants, claims_of, families, variant_with
    from arena.rules.settings import show_value
    from arena.rules.texts import rule_text

    if name is None:
        listed = all_variants()
        if as_json:
            found = {
                v.name: {"title": v.title, "summary": v.summary, "family": claims_of(v)[-1]}
                for v in listed
            }
            click.echo(json.dumps(found))
            return
        for variant in listed:
            click.echo(f"{variant.name:<18} {variant.summary}")
        click.echo("\nA bot claims games by these names, or all of a family at once:")
        for name, members in families().items():
            said = (
                "all games above that are in no other family"
                if len(members) > 9
                else ", ".join(member.name for member in members)
            )
            click.echo(f"{name:<20} {said}")
        return
    try:
        variant = variant_with(name, parse_changes(changes))
    except RulesError as error:
        raise UsageError(str(error)) from error
    values = variant.rules.as_dict()
    if as_json:
        click.echo(
            json.dumps(
                {
                    "name": variant.name,
                    "title": variant.title,
                    "text": rule_text(variant),
                    "rules": values,
                }
            )
        )
        return
    click.echo(f"{variant.title} ({variant.name})\n")
    for paragraph in rule_text(variant):
        click.echo(click.wrap_text(paragraph, width=96) + "\n")
    click.echo("Settings in force\n")
    for setting in variant.family.settings():
        if setting.name in values:
            value = show_value(values[setting.name])
            click.echo(f"{setting.name} = {value}\n    {setting.meaning}\n    {setting.allowed}")
