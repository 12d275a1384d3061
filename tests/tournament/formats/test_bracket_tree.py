"""The bracket as pages show it: open places, byes, walk-overs, winners, final places."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.errors import ConfigError
from arena.tournament.formats.bracket_tree import (
    BracketTree,
    MatchState,
    Placing,
    TreeMatch,
)
from arena.tournament.formats.bracket_tree import bracket_tree as tree_of
from arena.tournament.formats.double_elimination import DoubleElimination
from arena.tournament.formats.groups import Groups
from arena.tournament.formats.registry import FORMATS
from arena.tournament.formats.single_elimination import SingleElimination
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions, Results
from tests.tournament.results import both_forfeit, lower_number_wins, play_out, result

OPTIONS = FormatOptions(best_of=5)


def bracket_tree(
    seeding: Sequence[int],
    options: FormatOptions,
    results: Results,
    name: str = "single_elimination",
) -> BracketTree:
    """The bracket of the format of this name."""
    return tree_of(FORMATS[name], seeding, options, results)


def find(tree: BracketTree, label: str) -> TreeMatch:
    """The match with this label."""
    (found,) = [m for column in tree.rounds for m in column.matches if m.label == label]
    return found


def places(tree: BracketTree) -> list[tuple[int, int | None, int | None]]:
    """Entrants with their final places."""
    return [(p.entrant, p.first, p.last) for p in tree.placings]


def test_open_places_are_to_be_decided_and_not_byes() -> None:
    """Five entrants, nothing played: seed 1 has had its bye and waits for 4 v 5."""
    tree = bracket_tree([10, 11, 12, 13, 14], OPTIONS, {})
    bye, waiting = find(tree, "Quarter-final 1"), find(tree, "Semi-final 1")

    assert (bye.state, bye.winner, bye.note) == (MatchState.BYE, 10, "bye")
    assert [(s.entrant, s.seed, s.text) for s in bye.sides] == [(10, 1, ""), (None, None, "bye")]
    assert waiting.state is MatchState.OPEN
    assert [s.text or s.entrant for s in waiting.sides] == [10, "Winner of Quarter-final 2"]
    assert find(tree, "Semi-final 2").state is MatchState.READY
    assert tree.third_place is not None
    assert [s.text for s in tree.third_place.sides] == [
        "Loser of Semi-final 1",
        "Loser of Semi-final 2",
    ]
    assert tree.champion is None
    assert [len(column.matches) for column in tree.rounds] == [4, 2, 1]


def test_a_played_match_shows_games_and_winner_whoever_sat_where() -> None:
    """Games follow the side of the bracket and not the seat."""
    key = FixtureKey("bracket", 1, 1)
    item = result((3, 0), 3, games=(3, 1), drawn=1, key=key)
    match = find(bracket_tree(range(4), OPTIONS, {key: item}), "Semi-final 1")

    assert [(s.entrant, s.games, s.is_winner) for s in match.sides] == [(0, 1, False), (3, 3, True)]
    assert (match.key, match.winner, match.games_drawn, match.state) == (key, 3, 1, "played")


def test_final_places_of_a_finished_bracket() -> None:
    """Final, match for third, then shared places in order of the seeding."""
    _, results = play_out(SingleElimination(), range(8), OPTIONS)
    tree = bracket_tree(range(8), OPTIONS, results)
    single = [(0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 4, 4)]

    assert tree.champion == 0
    assert places(tree) == [*single, (4, 5, 8), (5, 5, 8), (6, 5, 8), (7, 5, 8)]


def test_beaten_semi_finalists_share_third_place_without_a_match() -> None:
    """No match for third: places 3 to 4 for both."""
    options = FormatOptions(third_place=False)
    _, results = play_out(SingleElimination(), range(4), options)

    assert places(bracket_tree(range(4), options, results))[2:] == [(2, 3, 4), (3, 3, 4)]


def test_places_are_given_only_when_they_are_settled() -> None:
    """One quarter-final played: its loser is out, but who shares its place is open."""
    key = FixtureKey("bracket", 1, 1)
    one = bracket_tree(range(8), OPTIONS, {key: result((0, 7), 0, key=key)})
    _, results = play_out(SingleElimination(), range(8), OPTIONS)
    quarters = {k: r for k, r in results.items() if k.round == 1}
    before_third = {k: r for k, r in results.items() if k.stage == "bracket"}

    settled = bracket_tree(range(8), OPTIONS, quarters)
    third_open = bracket_tree(range(8), OPTIONS, before_third)

    assert one.placings[-1] == Placing(7, None, None, True)
    assert [p.is_out for p in one.placings].count(False) == 7
    assert places(settled)[4:] == [(e, 5, 8) for e in (4, 5, 6, 7)]
    assert places(third_open)[:2] == [(0, 1, 1), (1, 2, 2)]
    assert [(p.entrant, p.is_out) for p in third_open.placings[2:4]] == [(2, False), (3, False)]


def test_who_plays_for_the_third_place_is_no_contender() -> None:
    """Nor who lost before and waits for its place; in two brackets one may lose once."""
    _, results = play_out(SingleElimination(), range(8), OPTIONS)
    first = FixtureKey("bracket", 1, 1)
    semi_finals = {k: r for k, r in results.items() if k.stage == "bracket" and k.round < 3}
    _, double = play_out(DoubleElimination(), range(4), OPTIONS)
    winners = {k: r for k, r in double.items() if k.stage == "winners" and k.round == 1}

    assert bracket_tree(range(8), OPTIONS, {first: results[first]}).contenders == set(range(7))
    assert bracket_tree(range(8), OPTIONS, semi_finals).contenders == {0, 1}
    assert bracket_tree(range(8), OPTIONS, results).contenders == set()
    assert bracket_tree(range(4), OPTIONS, winners, "double_elimination").contenders == set(
        range(4)
    )


def play_but(
    labels: dict[str, FixtureResult | None],
) -> tuple[Results, BracketTree]:
    """Eight entrants; these matches are double forfeits."""

    def play(fixture: Fixture) -> FixtureResult:
        return both_forfeit(fixture) if fixture.label in labels else lower_number_wins(fixture)

    _, results = play_out(SingleElimination(), range(8), OPTIONS, play)
    return results, bracket_tree(range(8), OPTIONS, results)


def test_walk_over_is_noted() -> None:
    """Both of quarter-final 2 failed: the semi-final is a walk-over and the page says why."""
    _, tree = play_but({"Quarter-final 2": None})
    void, walk_over = find(tree, "Quarter-final 2"), find(tree, "Semi-final 1")

    assert (void.state, void.note) == (MatchState.VOID, "double forfeit: nobody goes on")
    assert (walk_over.state, walk_over.is_bye, walk_over.winner) == (MatchState.BYE, True, 0)
    assert walk_over.note == "walk-over: no opponent was left"
    assert [s.text or s.entrant for s in walk_over.sides] == [0, "nobody"]
    assert places(tree)[2] == (2, 3, 3)


def test_nobody_is_champion_when_both_finalists_fail() -> None:
    """They share the places from two on."""
    _, tree = play_but({"Final": None})

    assert tree.champion is None
    assert places(tree)[:3] == [(0, 2, 3), (1, 2, 3), (2, 3, 3)]


@pytest.mark.parametrize(
    ("item", "note"),
    [
        (result((0, 1), None, points=(9, 8), games=(1, 1)), "drawn, decided by hand points"),
        (result((0, 1), None, points=(9, 9), games=(1, 1)), "drawn, decided by the better seeding"),
        (result((0, 1), 0, forfeited=(1,)), "won by forfeit"),
        (result((0, 1), 0), ""),
    ],
)
def test_notes_say_why_an_entrant_went_on(item: FixtureResult, note: str) -> None:
    """Only where the games do not tell."""
    match = find(bracket_tree([0, 1], OPTIONS, {FixtureKey("bracket", 1, 1): item}), "Final")

    assert (match.winner, match.note) == (0, note)


def test_second_final_of_double_elimination_shows_as_not_needed() -> None:
    """The unbeaten entrant won: champion, and the second final stays empty."""
    _, results = play_out(DoubleElimination(), range(5), OPTIONS)
    tree = bracket_tree(range(5), OPTIONS, results, "double_elimination")
    before = bracket_tree(range(5), OPTIONS, {}, "double_elimination")

    assert find(before, "Second grand final").note == "only if needed"
    assert find(tree, "Second grand final").note == "not needed"
    assert find(tree, "Second grand final").state is MatchState.NOT_NEEDED
    assert tree.champion == 0
    assert places(tree) == [(e, e + 1, e + 1) for e in range(5)]
    assert {column.stage for column in tree.rounds} == {"winners", "losers", "grand_final"}


def test_second_final_decides_when_it_is_played() -> None:
    """The challenger wins twice."""

    def play(fixture: Fixture) -> FixtureResult:
        if "grand final" in fixture.label.lower():
            return result(fixture.seats, max(fixture.seats), key=fixture.key)
        return lower_number_wins(fixture)

    _, results = play_out(DoubleElimination(), range(4), OPTIONS, play)
    tree = bracket_tree(range(4), OPTIONS, results, "double_elimination")

    assert tree.champion == 1
    assert places(tree)[:2] == [(1, 1, 1), (0, 2, 2)]


def test_bracket_after_groups_names_the_places_it_waits_for() -> None:
    """Before the groups are over the sides say which place of which group comes there."""
    tree = bracket_tree(range(8), OPTIONS, {}, "groups")
    semi = find(tree, "Semi-final 1")

    assert semi.state is MatchState.OPEN
    assert [s.text for s in semi.sides] == ["Group A, place 1", "Group B, place 2"]

    _, results = play_out(Groups(), range(8), OPTIONS)
    done = bracket_tree(range(8), OPTIONS, results, "groups")
    assert done.champion == 0
    assert [p.entrant for p in done.placings] == [0, 1, 2, 3]


def test_formats_without_a_bracket_are_refused() -> None:
    """The message names the format."""
    with pytest.raises(ConfigError, match="Swiss has no bracket"):
        bracket_tree(range(4), OPTIONS, {}, "swiss")


@pytest.mark.parametrize("n", range(2, 20))
@pytest.mark.parametrize("kind", ["single_elimination", "double_elimination"])
def test_tree_and_fixtures_agree_at_every_step(n: int, kind: str) -> None:
    """Each fixture is a match of the tree with the same entrants, and the other way round."""
    format = SingleElimination() if kind == "single_elimination" else DoubleElimination()
    results: dict[FixtureKey, FixtureResult] = {}
    while True:
        fixtures = {f.key: f for f in format.fixtures(range(n), OPTIONS, results)}
        tree = bracket_tree(range(n), OPTIONS, results, kind)
        matches = [m for column in tree.rounds for m in column.matches]
        matches += [tree.third_place] if tree.third_place else []
        shown = {
            m.key: {s.entrant for s in m.sides if s.entrant is not None}
            for m in matches
            if m.state in ("ready", "played", "bye")
        }
        assert shown == {key: set(f.seats) for key, f in fixtures.items()}
        todo = [f for f in fixtures.values() if len(f.seats) > 1 and f.key not in results]
        if not todo:
            break
        results[todo[-1].key] = lower_number_wins(todo[-1])
    assert tree.champion == 0
    assert sorted(p.entrant for p in tree.placings) == list(range(n))
    assert all(p.first is not None for p in tree.placings)
