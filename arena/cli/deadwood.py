"""``arena deadwood``: what a hand is worth."""

from __future__ import annotations

import json

import click

from arena.errors import RulesError, UsageError


@click.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--knocker", metavar="CARDS", help="The knocker's hand: adds your best layoff on it.")
@click.option("--rules", "name", default="gin", show_default=True, help="The game: arena rules.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def deadwood(cards: tuple[str, ...], knocker: str | None, name: str, as_json: bool) -> None:
    """Best melds and deadwood of CARDS; for eleven cards the best discard and what it leaves.

    \b
    arena deadwood 7C 7S 7D 8D 9D AH 2H KS QC 4D
    arena deadwood "2C3C4C2D4D6D6H2S3S4S6S" --json
    arena deadwood "9S TS JS QS JD JH KC KD KH 3C" --knocker "2C2D2H 4C4D4H 6S7S8S AC"
    """
    from arena.cli.deadwood_report import report, report_text

    try:
        found = report(" ".join(cards), knocker, name)
    except RulesError as error:
        raise UsageError(str(error)) from error
    click.echo(json.dumps(found) if as_json else report_text(found))
