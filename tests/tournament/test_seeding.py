"""Who is seeded where and rated what when a tournament begins, over a store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.config import BotSpec, SeedBy, TournamentConfig, validate
from arena.config_file import from_mapping
from arena.errors import ConfigError, StoreError
from arena.store import Store
from arena.store.rows import TournamentRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.lifecycle import cancel
from arena.tournament.model import FormatOptions
from arena.tournament.results import bracket_json, standings_of, strength_of
from arena.tournament.seeding import reseed, seed, seeded_last
from arena.tournament.statistics.odds import game_chance, match_chance
from tests.tournament.functions import enter, knocker, play

NAMES = ("bot 0", "bot 1", "bot 2", "bot 3")


def cup(
    store: Store,
    names: tuple[str, ...] = NAMES,
    *,
    seeding: SeedBy = SeedBy.GIVEN,
    source: str | None = None,
    rules: str = "gin",
    state: TournamentState = TournamentState.RUNNING,
) -> TournamentRow:
    """A bracket best of three of these bots, the strongest named first."""
    config = TournamentConfig(
        name="Cup",
        format="single_elimination",
        rules=rules,
        settings={"target": 30},
        options=FormatOptions(best_of=3),
        bots=tuple(BotSpec(name, "http://127.0.0.1:9") for name in names),
        seeding=seeding,
        seeded_from=source,
    )
    return create_tournament(store, config, bytes(32), state=state)


@pytest.fixture
def league(store: Store) -> TournamentRow:
    """A league in which the last bot plays best and the first worst."""
    row = enter(store, 4, name="League", legs=4)
    play(store, row, [knocker(60), knocker(40), knocker(20), knocker()])
    return store.tournaments.get(row.id)


def order(store: Store, row: TournamentRow) -> list[str]:
    """Names from the strongest seeding down."""
    rows = store.tournaments.entrants(row.id)
    return [entrant.name for entrant in sorted(rows, key=lambda entrant: entrant.seeding)]


def by_rating(store: Store, league: TournamentRow) -> list[str]:
    """Names from the best rating down."""
    ratings = strength_of(store, league).ratings
    return sorted(NAMES, key=lambda name: -(ratings[NAMES.index(name)].rating or 0))


def test_order_given_is_kept_and_ratings_are_remembered(
    store: Store, league: TournamentRow
) -> None:
    """By hand: the order of the bots; the chances come from what is in the database."""
    row = cup(store, ("bot 2", "bot 0", "bot 3", "bot 1"))
    seed(store, row)
    rated = {entrant.name: entrant.rating for entrant in store.tournaments.entrants(row.id)}
    known = strength_of(store, league).ratings

    assert order(store, row) == ["bot 2", "bot 0", "bot 3", "bot 1"]
    for number, name in enumerate(NAMES):
        assert rated[name] == pytest.approx(known[number].rating, abs=0.06)


def test_ratings_seed_and_the_unrated_come_last(store: Store, league: TournamentRow) -> None:
    """Those without a rating keep the order in which they were named."""
    row = cup(store, ("new", *NAMES, "newer"), seeding=SeedBy.RATINGS)
    seed(store, row)

    assert order(store, row) == [*by_rating(store, league), "new", "newer"]
    assert [entrant.rating is None for entrant in store.tournaments.entrants(row.id)] == [
        True, False, False, False, False, True,
    ]  # fmt: skip


def test_earlier_tournament_seeds_by_its_table(store: Store, league: TournamentRow) -> None:
    """And its ratings are those that chances are made from."""
    row = cup(store, source="League")
    seed(store, row)
    table = [NAMES[line.entrant] for line in standings_of(store, league)]

    assert order(store, row) == table
    assert all(entrant.rating for entrant in store.tournaments.entrants(row.id))


def test_draft_that_is_started_on_a_page_is_seeded_too(store: Store, league: TournamentRow) -> None:
    """There the state changes, with the time of the start, before a referee looks at it."""
    row = cup(store, seeding=SeedBy.RATINGS, state=TournamentState.DRAFT)
    store.tournaments.set_state(row.id, TournamentState.RUNNING)
    seed(store, store.tournaments.get(row.id))

    assert order(store, row) == by_rating(store, league)


def test_seeding_stays_once_a_match_is_scheduled(store: Store, league: TournamentRow) -> None:
    """A resumed tournament is not seeded again from what was played since."""
    row = cup(store, seeding=SeedBy.RATINGS)
    seed(store, row)
    play(store, row, [knocker()] * 4)
    store.tournaments.set_seeding(row.id, [3, 2, 1, 0])
    seed(store, row)

    assert order(store, row) == list(reversed(NAMES))


def test_another_game_gives_no_ratings(store: Store, league: TournamentRow) -> None:
    """How strong somebody is in gin says little about Oklahoma: a dash, null for programs."""
    row = cup(store, rules="oklahoma", seeding=SeedBy.RATINGS)
    seed(store, row)
    matches = bracket_json(store, row)["matches"]

    assert order(store, row) == list(NAMES)
    assert {match["chance"] for match in matches} == {None}
    assert {match["favourite"] for match in matches} == {None}


def test_bracket_says_who_is_favoured_and_how_much(store: Store, league: TournamentRow) -> None:
    """By the formula for a match best of three; nothing where a side is open."""
    row = cup(store, source="League")
    seed(store, row)
    rated = {entrant.name: entrant.rating for entrant in store.tournaments.entrants(row.id)}
    semi, _, final, third = bracket_json(store, row)["matches"]
    one, other = (rated[side["name"]] or 0 for side in semi["sides"])

    assert semi["favourite"] == semi["sides"][int(other > one)]["name"]
    assert semi["chance"] == pytest.approx(match_chance(game_chance(abs(one - other)), 3, 2))
    assert final["chance"] is third["favourite"] is None
    assert final["label"] == "Final"


def test_newcomers_are_seeded_last_and_named(store: Store, league: TournamentRow) -> None:
    """Who was not in the earlier tournament follows those who were, in the order given."""
    old = [NAMES[row.entrant] for row in standings_of(store, league)]
    row = cup(store, ("new", *NAMES, "newer"), source="League")

    new = seed(store, row)

    assert order(store, row) == [*old, "new", "newer"]
    assert seeded_last(row, new) == (
        "new, newer have no place in 'League': seeded last, in the order given"
    )
    assert [e.name for e in store.tournaments.entrants(row.id) if e.rating is None] == new


def test_source_must_be_over_and_be_there(store: Store) -> None:
    """Each refusal names what is missing."""
    enter(store, 4, name="League")
    row = cup(store, source="League")
    with pytest.raises(ConfigError, match="seeded from 'League'; play that to its end first"):
        seed(store, row)
    with pytest.raises(StoreError, match="no tournament 'Nowhere'"):
        cup(store, source="Nowhere")


def test_seeding_can_be_chosen_until_the_start(store: Store, league: TournamentRow) -> None:
    """Some places by hand, the others follow; then from a tournament; then no more."""
    row = cup(store, state=TournamentState.DRAFT)
    reseed(store, row, order=["bot 3", "bot 1"])
    assert order(store, row) == ["bot 3", "bot 1", "bot 0", "bot 2"]

    reseed(store, row, source="League")
    config = TournamentConfig.from_json(store.tournaments.get(row.id).config)
    assert (config.seeded_from, config.seeding) == ("League", SeedBy.GIVEN)

    with pytest.raises(ConfigError, match="'nobody' is not in 'Cup'; there are: bot 0"):
        reseed(store, row, order=["nobody"])
    with pytest.raises(ConfigError, match="a bot twice"):
        reseed(store, row, order=["bot 1", "bot 1"])
    cancel(store, row)
    with pytest.raises(StoreError, match="fixed when it starts"):
        reseed(store, row, order=["bot 1"])


def test_file_chooses_the_seeding() -> None:
    """`seeding` and `seeded_from`, of which one."""
    data = {"name": "Cup", "bot": [{"name": name, "url": "sample:simple"} for name in NAMES]}
    assert from_mapping({**data, "seeding": "ratings"}, where="x").seeding is SeedBy.RATINGS
    with pytest.raises(ConfigError, match="seeding = 'lottery': choose given or ratings"):
        from_mapping({**data, "seeding": "lottery"}, where="x")
    both = from_mapping({**data, "seeding": "ratings", "seeded_from": "League"}, where="x")
    with pytest.raises(ConfigError, match="choose one of them"):
        validate(both)
    kept = TournamentConfig.from_json(replace(both, seeded_from=None).to_json())
    assert kept.seeding is SeedBy.RATINGS
