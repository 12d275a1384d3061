"""Groups, each a round robin, then a bracket of the best of each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from arena.errors import ConfigError
from arena.tournament.formats.bracket import (
    Bracket,
    Open,
    Side,
    bracket_fixtures,
    bracket_size,
    seed_order,
)
from arena.tournament.formats.format import SERIES, USE_LEGS, Format, RankedBy
from arena.tournament.formats.round_robin import pool
from arena.tournament.formats.schedule import check_entrants, check_legs, count_played
from arena.tournament.formats.single_elimination import single_elimination_nodes
from arena.tournament.formats.volume import Volume, expected_games
from arena.tournament.model import NOBODY, Fixture, FormatOptions, Left, Results
from arena.tournament.ranking.standings import Row, TableRules, standings
from arena.tournament.ranking.tie_breaks import GROUP_CHAIN

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_GROUPS = len(LETTERS)


def group_name(index: int) -> str:
    """``Group A``."""
    return f"Group {LETTERS[index]}"


def group_stage(index: int) -> str:
    """The stage of the group's fixture keys: ``group_a``."""
    return f"group_{LETTERS[index].lower()}"


def draw_groups(seeding: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """Entrants of each group, by the snake: A B C, C B A, A B C, …, which evens out strength."""
    drawn: list[list[int]] = [[] for _ in range(groups)]
    for place, entrant in enumerate(seeding):
        row, column = divmod(place, groups)
        drawn[groups - 1 - column if row % 2 else column].append(entrant)
    return tuple(map(tuple, drawn))


def group_rules(seeding: Sequence[int], options: FormatOptions) -> TableRules:
    """Like a league's, but a tie that play leaves goes to the better seeding and not by lot.

    Who plays whom next must follow from results alone, and nobody else may know the secret yet.
    """
    return TableRules(
        chain=GROUP_CHAIN, fewer_points_win=options.fewer_points_win, seeding=tuple(seeding)
    )


def group_tables(
    seeding: Sequence[int],
    options: FormatOptions,
    results: Results,
    names: Mapping[int, str] | None = None,
) -> tuple[tuple[Row, ...], ...]:
    """The table of each group."""
    known = names or {entrant: str(entrant) for entrant in seeding}
    rules = group_rules(seeding, options)
    tables = []
    for index, entrants in enumerate(draw_groups(seeding, options.groups)):
        own = [result for key, result in results.items() if key.stage == group_stage(index)]
        tables.append(standings({e: known[e] for e in entrants}, own, rules, b""))
    return tuple(tables)


def bracket_places(groups: int, advance: int) -> tuple[tuple[int, int], ...]:
    """The seeding of the bracket as (group, place in it), from the first seed to the last.

    All winners of groups come first, then all seconds, and so on. Within a tier the groups are put
    so that entrants of one group meet again as late as possible.
    """
    size = bracket_size(groups * advance)
    places: list[tuple[int, int]] = [(group, 0) for group in range(groups)]
    for tier in range(1, advance):
        numbers = range(groups * tier + 1, groups * (tier + 1) + 1)
        latest = [
            [
                min(
                    _meeting_round(number, seed, size)
                    for seed, (other, _) in enumerate(places, start=1)
                    if other == group
                )
                for group in range(groups)
            ]
            for number in numbers
        ]
        places += [(group, tier) for group in _assign(latest)]
    return tuple(places)


def _meeting_round(a: int, b: int, size: int) -> int:
    """The round in which two seeding numbers meet if both always win."""
    order = seed_order(size)
    return (order.index(a) ^ order.index(b)).bit_length()


def _assign(worth: list[list[int]]) -> list[int]:
    """A column for each row, such that the least worth is as large as possible."""
    for least in sorted({value for row in worth for value in row}, reverse=True):
        allowed = [[c for c, value in enumerate(row) if value >= least] for row in worth]
        chosen = _match(allowed)
        if chosen is not None:
            return chosen
    raise AssertionError("the least worth allows every column")


def _match(allowed: list[list[int]]) -> list[int] | None:
    """A different column for each row from those allowed, by augmenting paths."""
    holder: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column in allowed[row]:
            if column in tried:
                continue
            tried.add(column)
            if column not in holder or place(holder[column], tried):
                holder[column] = row
                return True
        return False

    for row in range(len(allowed)):
        if not place(row, set()):
            return None
    return [column for _, column in sorted((row, column) for column, row in holder.items())]


def qualified(seeding: Sequence[int], options: FormatOptions, results: Results) -> tuple[Side, ...]:
    """The seeding of the bracket; a group's places are open until its last result is in."""
    tables = group_tables(seeding, options, results)
    finished = [
        all(
            f.key in results
            for f in pool(group_stage(index), entrants, options)
            if len(f.seats) > 1
        )
        for index, entrants in enumerate(draw_groups(seeding, options.groups))
    ]
    return tuple(
        tables[group][place].entrant if finished[group] else Open.TO_BE_DECIDED
        for group, place in bracket_places(options.groups, options.advance)
    )


class Groups(Format):
    """A round robin in each group (``games`` a fixture), then a bracket (``best_of``)."""

    name = "groups"
    title = "Groups"
    summary = "Groups, then a bracket of the best"
    description = "a round robin in each of `groups`, then a bracket of the best `advance` of each"
    uses = (*SERIES, "legs", "groups", "advance", "duplicate", "third_place")
    instead = USE_LEGS
    has_bracket = True
    ranked_by = RankedBy.BRACKET

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """All group fixtures, then the matches of the bracket whose entrants are known.

        :raises ConfigError: when the groups cannot be filled or nobody would be left to play.
        """
        check_groups(len(seeding), options)
        check_entrants(seeding, 2, "groups")
        check_legs(options)
        bracket = self.bracket(seeding, options, results)
        return (
            *group_fixtures(seeding, options),
            *bracket_fixtures(bracket, options, results),
        )

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Group fixtures, and all but one of the qualified lose once in the bracket."""
        check_groups(entrants, options)
        played = count_played(group_fixtures(range(entrants), options))
        return played + _bracket_matches(options)

    def volume(self, entrants: int, options: FormatOptions) -> Volume:
        """Who does not reach the bracket has the matches of the smallest group."""
        total = self._ending(entrants, options)
        in_bracket = _bracket_matches(options)
        halves = 2 if options.duplicate else 1
        opponents = entrants // options.groups - 1
        own = opponents * options.legs * halves
        each = expected_games(replace(options, best_of=None))
        games = (total - in_bracket) * each + in_bracket * expected_games(options)
        return Volume(total, total, games, own, own * each, halves, opponents)

    def group_tables(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        names: Mapping[int, str] | None = None,
    ) -> tuple[tuple[str, tuple[Row, ...]], ...]:
        """``Group A`` with its table, and so on."""
        tables = group_tables(seeding, options, results, names)
        return tuple((group_name(index), rows) for index, rows in enumerate(tables))

    def bracket(self, seeding: Sequence[int], options: FormatOptions, results: Results) -> Bracket:
        """The best of each group, by their places there."""
        places = bracket_places(options.groups, options.advance)
        return Bracket(
            single_elimination_nodes(len(places), options),
            qualified(seeding, options, results),
            {
                number: f"{group_name(group)}, place {place + 1}"
                for number, (group, place) in enumerate(places, start=1)
            },
        )

    def places_behind(
        self, seeding: Sequence[int], options: FormatOptions, results: Results
    ) -> list[tuple[int, int]]:
        """By place in the group; those with equal ones share theirs."""
        tables = group_tables(seeding, options, results)
        found: list[tuple[int, int]] = []
        better = options.groups * options.advance
        for place in range(options.advance, max(map(len, tables))):
            tier = [table[place] for table in tables if place < len(table)]
            tier.sort(key=lambda row: -row.match_points)
            found += [(row.entrant, better + 1) for row in tier]
            better += len(tier)
        return found


def _bracket_matches(options: FormatOptions) -> int:
    """All but one of the qualified lose once in the bracket; one more for third place."""
    qualified = options.groups * options.advance
    return qualified - 1 + (options.third_place and qualified >= 4)


def group_fixtures(seeding: Sequence[int], options: FormatOptions) -> tuple[Fixture, ...]:
    """The fixtures of all groups, round by round across the groups."""
    rounds = replace(options, best_of=None)
    pools = [
        list(pool(group_stage(index), entrants, rounds, name=f"{group_name(index)}, "))
        for index, entrants in enumerate(draw_groups(seeding, options.groups))
    ]
    together = [fixture for fixtures in pools for fixture in fixtures]
    return tuple(sorted(together, key=lambda f: (f.key.half, f.key.round)))


def check_groups(entrants: int, options: FormatOptions) -> None:
    """Refuse groups that cannot be played.

    :raises ConfigError: naming the option to change.
    """
    if not 1 <= options.groups <= MOST_GROUPS:
        raise ConfigError(f"groups = {options.groups}: choose 1 to {MOST_GROUPS}")
    smallest = entrants // options.groups
    if smallest < 2:
        raise ConfigError(
            f"groups = {options.groups}: {entrants} entrants leave a group with "
            f"{smallest}; each needs at least 2, so use fewer groups"
        )
    if not 1 <= options.advance <= smallest:
        raise ConfigError(
            f"advance = {options.advance}: the smallest group has {smallest}; "
            f"choose 1 to {smallest}"
        )
    if options.groups * options.advance < 2:
        raise ConfigError("groups = 1 with advance = 1 leaves no bracket; use a round robin")
