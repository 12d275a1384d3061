"""Groups then bracket: the draw, who qualifies, whom they meet."""

from __future__ import annotations

import pytest

from arena.errors import ConfigError
from arena.tournament.formats.groups import (
    Groups,
    bracket_places,
    draw_groups,
    group_tables,
)
from arena.tournament.model import FormatOptions
from arena.tournament.ranking.tie_breaks import TieBreak
from tests.tournament.results import play_out, result

GROUPS = Groups()


def test_groups_are_drawn_by_the_snake() -> None:
    """Seeds 1 to 8 into two groups: 1 4 5 8 and 2 3 6 7."""
    assert draw_groups(range(1, 9), 2) == ((1, 4, 5, 8), (2, 3, 6, 7))
    assert draw_groups(range(1, 8), 3) == ((1, 6, 7), (2, 5), (3, 4))


def test_winners_of_groups_meet_seconds_of_the_other_group() -> None:
    """A1 v B2 and B1 v A2."""
    assert bracket_places(2, 2) == ((0, 0), (1, 0), (0, 1), (1, 1))


@pytest.mark.parametrize(("groups", "advance"), [(2, 2), (4, 2), (8, 2), (2, 4), (4, 4), (16, 2)])
def test_entrants_of_a_group_meet_again_as_late_as_possible(groups: int, advance: int) -> None:
    """With two from each group they can meet only in the final, with four in the semi-finals."""
    places = bracket_places(groups, advance)
    size = groups * advance
    order = [1]
    while len(order) < size:
        order = [s for seed in order for s in (seed, 2 * len(order) + 1 - seed)]
    position = {place: order.index(seed) for seed, place in enumerate(places, start=1)}
    rounds = [
        (position[group, a] ^ position[group, b]).bit_length()
        for group in range(groups)
        for a in range(advance)
        for b in range(a)
    ]
    final = size.bit_length() - 1

    assert sorted(places) == [(g, a) for g in range(groups) for a in range(advance)]
    assert [place for _, place in places] == sorted(place for _, place in places)
    assert min(rounds) == final - (advance.bit_length() - 2)


@pytest.mark.parametrize(("n", "groups", "advance"), [(8, 2, 2), (9, 2, 3), (13, 4, 2), (6, 3, 1)])
def test_the_tournament_ends_and_the_total_is_right(n: int, groups: int, advance: int) -> None:
    """Groups and bracket are played out; the best seed wins when it always wins."""
    options = FormatOptions(groups=groups, advance=advance, best_of=3)
    fixtures, results = play_out(GROUPS, range(n), options)

    assert len(results) == GROUPS.total(n, options)
    assert fixtures[-1].label == "Final"
    assert results[fixtures[-1].key].winner == 0
    assert {f.games for f in fixtures if f.key.stage.startswith("group_")} <= {0, 2}
    assert {f.wins_needed for f in fixtures if f.key.stage == "bracket"} <= {None, 2}


def test_bracket_waits_for_the_last_result_of_a_group() -> None:
    """No match of the bracket while both its groups are open."""
    options = FormatOptions()
    fixtures = GROUPS.fixtures(range(8), options, {})

    assert all(f.key.stage.startswith("group_") for f in fixtures)


def test_a_level_group_goes_by_seeding() -> None:
    """Nothing separates the entrants of a group: the better seed is ahead, no lot is drawn."""
    options = FormatOptions(groups=1, advance=2)
    seeding = [3, 1, 2]
    fixtures = GROUPS.fixtures(seeding, options, {})
    results = {
        f.key: result(f.seats, None, games=(1, 1), points=(50, 50), key=f.key)
        for f in fixtures
        if len(f.seats) > 1
    }
    (table,) = group_tables(seeding, options, results)

    assert [row.entrant for row in table] == seeding
    assert {row.decided_by for row in table} == {TieBreak.SEEDING}
    assert set(GROUPS.fixtures(seeding, options, results)[-1].seats) == {3, 1}


def test_group_fixtures_are_played_round_by_round_across_groups() -> None:
    """First halves of all groups, then second halves; rounds in order within."""
    fixtures = GROUPS.fixtures(range(10), FormatOptions(), {})
    order = [(f.key.half, f.key.round) for f in fixtures]

    assert order == sorted(order)
    assert {f.key.stage for f in fixtures} == {"group_a", "group_b"}
    assert fixtures[0].label == "Group A, Round 1"


@pytest.mark.parametrize(
    ("n", "options", "message"),
    [
        (5, FormatOptions(groups=3), "groups = 3: 5 entrants leave a group with 1"),
        (8, FormatOptions(groups=0), "groups = 0"),
        (8, FormatOptions(groups=2, advance=5), "advance = 5: the smallest group has 4"),
        (8, FormatOptions(groups=1, advance=1), "leaves no bracket"),
    ],
)
def test_impossible_groups_are_refused(n: int, options: FormatOptions, message: str) -> None:
    """The message names the option to change."""
    with pytest.raises(ConfigError, match=message):
        GROUPS.fixtures(range(n), options, {})
