"""One table for every format."""

from __future__ import annotations

from collections.abc import Collection

from arena.tournament.formats.registry import FORMATS
from arena.tournament.model import FixtureKey, FixtureResult, FormatOptions, Results
from arena.tournament.ranking.final_table import tournament_table
from arena.tournament.ranking.standings import (
    NO_HAND,
    NONE_COUNTS,
    SHARED,
    Presence,
    Row,
    Winners,
    standings,
    winners_of,
)
from tests.tournament.results import play_out, result

SECRET = bytes(32)
OPTIONS = FormatOptions(best_of=3)


def names(n: int) -> dict[int, str]:
    """Names of n entrants."""
    return {entrant: f"bot {entrant}" for entrant in range(n)}


def table(
    format_name: str, n: int, results: Results, disqualified: Collection[int] = ()
) -> tuple[Row, ...]:
    """The table of n entrants seeded by number."""
    return tournament_table(
        FORMATS[format_name],
        range(n),
        OPTIONS,
        results,
        names(n),
        SECRET,
        disqualified=disqualified,
    )


def ranks(rows: tuple[Row, ...]) -> list[tuple[int, int | None]]:
    """Entrants with their ranks."""
    return [(row.entrant, row.rank) for row in rows]


def test_a_league_is_ordered_by_points() -> None:
    """The same as its standings."""
    _, results = play_out(FORMATS["round_robin"], range(4), OPTIONS)
    rules = FORMATS["round_robin"].table_rules(OPTIONS)

    assert table("round_robin", 4, results) == standings(names(4), results.values(), rules, SECRET)


def test_a_gauntlet_is_ordered_by_what_each_took_from_the_champion() -> None:
    """Who beat the champion is above it, although it has the most points; nobody has won."""
    beats = {1: (1, 1, 1, 0), 2: (0, 0, 1, 1), 3: (0, 0, 0, 0), 4: ()}
    results = {}
    for challenger, matches in beats.items():
        for leg, won in enumerate(matches):
            key = FixtureKey("gauntlet", leg + 1, challenger, 0)
            results[key] = result((0, challenger), challenger if won else 0, key=key)

    rows = table("gauntlet", 5, results)

    assert rows[0].entrant == 1
    assert {row.entrant for row in rows[1:3]} == {0, 2}
    assert [row.entrant for row in rows][3:] == [3, 4]
    assert max(rows, key=lambda row: row.match_points).entrant == 0
    nobody_wins = FORMATS["gauntlet"].nobody_wins
    assert winners_of(rows, nobody_wins) == Winners((), nobody_wins)
    assert winners_of(table("gauntlet", 5, {}), nobody_wins) == Winners((), NO_HAND)
    assert FORMATS["gauntlet"].ranked_by == "share"


def test_a_bracket_is_ordered_by_how_far_each_got() -> None:
    """The beaten finalist is ahead of the third, though both have won as many matches."""
    _, results = play_out(FORMATS["single_elimination"], range(8), OPTIONS)
    rows = table("single_elimination", 8, results)

    assert ranks(rows) == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 5), (6, 5), (7, 5)]
    assert rows[1].won == rows[2].won == 2
    assert {row.decided_by for row in rows} == {None}


def test_a_bracket_in_progress_lists_those_still_in_first() -> None:
    """They have no rank yet; whoever is out and settled has."""
    _, results = play_out(FORMATS["single_elimination"], range(8), OPTIONS)
    quarters = {key: item for key, item in results.items() if key.round == 1}

    assert ranks(table("single_elimination", 8, quarters)) == [
        *((e, None) for e in range(4)),
        *((e, 5) for e in range(4, 8)),
    ]


def test_double_elimination_has_a_table_too() -> None:
    """By the round of the second defeat."""
    _, results = play_out(FORMATS["double_elimination"], range(5), OPTIONS)

    assert ranks(table("double_elimination", 5, results)) == [(e, e + 1) for e in range(5)]


def test_groups_put_the_bracket_first_and_then_share_places() -> None:
    """Nine in two groups, two go on: four of the bracket, then 5-6, 7-8 and 9."""
    _, results = play_out(FORMATS["groups"], range(9), OPTIONS)
    rows = table("groups", 9, results)

    assert [rank for _, rank in ranks(rows)] == [1, 2, 3, 4, 5, 5, 7, 7, 9]
    assert sorted(row.entrant for row in rows) == list(range(9))


def test_groups_in_progress_are_ordered_by_points() -> None:
    """Until the last group is over; nothing played: nobody has a rank."""
    rows = table("groups", 8, {})

    assert {(row.rank, row.decided_by) for row in rows} == {(None, None)}

    _, results = play_out(FORMATS["groups"], range(8), OPTIONS)
    first = dict(list(results.items())[:1])
    assert [row.rank for row in table("groups", 8, first)] == list(range(1, 9))


def test_disqualified_entrants_are_last_in_brackets_too() -> None:
    """Without a rank."""
    _, results = play_out(FORMATS["single_elimination"], range(4), OPTIONS)
    rows = table("single_elimination", 4, results, disqualified={1})

    assert ranks(rows) == [(0, 1), (2, 3), (3, 4), (1, None)]
    assert rows[-1].presence is Presence.DISQUALIFIED


def test_hands_with_a_disqualified_bot_were_played_but_make_no_winner() -> None:
    """Nobody is told that none was, while the schedule shows them."""
    _, results = play_out(FORMATS["round_robin"], range(2), OPTIONS)
    rows = table("round_robin", 2, results, disqualified={1})

    assert winners_of(rows) == Winners((), NONE_COUNTS)


def beaten(winner: int, loser: int, games: int, number: int) -> list[FixtureResult]:
    """So many mirrored pairs of one game each, of which one is lost."""
    found = []
    for at in range(2 * games):
        key = FixtureKey("ladder", number * 100 + at // 2, 1, at % 2)
        seats = (winner, loser) if at % 2 else (loser, winner)
        found.append(result(seats, loser if at == 0 else winner, key=key))
    return found


def test_a_ladder_is_ordered_by_rating() -> None:
    """Who beat a weak bot forty times has most points and is not first; who has played too little
    is last and has no rank."""
    strong, second, feeder, weak, new = range(5)
    played = [
        *beaten(strong, second, 6, 1),
        *beaten(second, feeder, 6, 2),
        *beaten(feeder, weak, 20, 3),
        *beaten(strong, feeder, 6, 4),
        *beaten(new, weak, 1, 5),
    ]
    rows = table("ladder", 5, {one.key: one for one in played})

    assert max(rows, key=lambda row: row.match_points).entrant == feeder
    assert ranks(rows) == [(strong, 1), (second, 2), (feeder, 3), (weak, 4), (new, None)]
    assert {row.decided_by for row in rows} == {None}
    assert FORMATS["ladder"].ranked_by == "rating"
    assert FORMATS["swiss"].ranked_by == "points"
    assert FORMATS["single_elimination"].ranked_by == FORMATS["groups"].ranked_by == "bracket"


def test_equal_ratings_share_a_rank() -> None:
    """No lot is drawn among them."""
    played = [
        result(seats, winner, key=FixtureKey("ladder", number, 1, half))
        for number in range(12)
        for half, seats in enumerate([(0, 1), (1, 0)])
        for winner in [number % 2]
    ]
    rows = table("ladder", 2, {one.key: one for one in played})

    assert [row.rank for row in rows] == [1, 1]
    assert winners_of(rows) == Winners((), SHARED)
