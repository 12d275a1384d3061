"""Playing bots against each other in one process."""

from __future__ import annotations

import pytest

from arena.bot import Bot, BotView, FunctionBot, practice
from arena.bot.practice import duel, sample_opponent, views
from arena.errors import IllegalAction, InvalidRecord, InvalidSettings, UsageError
from arena.referee.moments import deal, moment_of
from arena.rules.base import Ending, HandOutcome
from arena.rules.games import all_variants
from tests.referee.matches import in_process, setup, watch


def careful(view: BotView) -> str:
    """Throws what leaves the least deadwood and knocks with it when it can."""
    if view.phase != "discard":
        return view.safe
    card = min(view.deadwood_after, key=lambda one: view.deadwood_after[one])
    return f"knock:{card}" if view.can(f"knock:{card}") else f"discard:{card}"


def test_the_better_bot_is_ahead_from_both_sides() -> None:
    """The result is seen from the first bot; exchanging the bots changes the sign only."""
    good, safe = FunctionBot(careful), Bot()
    result, mirrored = duel(good, safe, pairs=10), duel(safe, good, pairs=10)

    assert result.low > 0
    assert (result.pairs, result.hands) == (10, 20)
    assert (mirrored.mean, mirrored.won) == (-result.mean, result.won[::-1])
    assert str(result).startswith(f"{result.mean:+.2f} points a pair")


def test_few_pairs_have_a_wide_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pairs leave one degree of freedom, whose quantile is 12.7 and not 1.96."""
    points = iter([(10, 0), (0, 20), (0, 0), (0, 0)])

    def hand(*_: object, **__: object) -> HandOutcome:
        return HandOutcome(Ending.KNOCK, next(points), None, (), "")

    monkeypatch.setattr(practice, "play_hand", hand)
    result = duel(Bot(), Bot(), pairs=2)

    assert result.mean == 15.0
    assert result.high - result.mean == pytest.approx(12.706 * 15, abs=0.01)


def test_mirrored_pairs_of_the_same_bot_cancel_out() -> None:
    """Not roughly but to the point, since the cards and their order are the same."""
    result = duel(FunctionBot(careful), FunctionBot(careful), pairs=5)

    assert (result.mean, result.low, result.high) == (0.0, 0.0, 0.0)


def test_other_secrets_deal_other_cards() -> None:
    """An author can see whether a result was luck."""
    good, safe = FunctionBot(careful), Bot()
    one, other = (duel(good, safe, pairs=3, secret=secret) for secret in (b"a", b"b"))

    assert one.mean != other.mean


def test_an_illegal_choice_says_whose_and_where() -> None:
    """In practice a mistake stops everything; the text leads to the hand."""
    wrong = FunctionBot(lambda view: "discard:ZZ" if view.phase == "discard" else view.safe)
    wrong.name = "mine"
    with pytest.raises(
        IllegalAction,
        match=r"^mine at m_0_0-1-1-\d+ \(deal '0' of gin.*'discard:ZZ' is not among",
    ):
        duel(wrong, Bot(), pairs=1)


def test_an_exception_of_a_bot_says_where_it_was_asked() -> None:
    """It stays the exception that it is."""

    def broken(view: BotView) -> str:
        raise KeyError("plan")

    with pytest.raises(KeyError) as caught:
        duel(broken, Bot(), pairs=1)

    assert caught.value.__notes__[0].startswith("broken was asked at m_0_0-1-1-0 (deal '0' of gin")


def test_a_function_is_a_bot_too() -> None:
    """As it is for `run`."""
    assert duel(careful, Bot(), pairs=3) == duel(FunctionBot(careful), Bot(), pairs=3)


@pytest.mark.parametrize("pairs", [0, -1])
def test_a_duel_of_no_pairs_is_refused(pairs: int) -> None:
    """Instead of failing in its statistics."""
    with pytest.raises(UsageError, match="at least one"):
        duel(Bot(), Bot(), pairs=pairs)


def test_rules_can_be_changed() -> None:
    """An author practises for the tournament that there will be."""
    usual = duel(careful, Bot(), pairs=3)
    rich = duel(
        careful, Bot(), pairs=3, settings={"gin_bonus": 500, "big_gin_bonus": 500, "knock_limit": 0}
    )

    assert rich.mean > usual.mean
    with pytest.raises(InvalidSettings, match="gin_bonas"):
        duel(careful, Bot(), settings={"gin_bonas": 1})


def test_games_for_more_players_are_refused() -> None:
    """A duel is between two."""
    with pytest.raises(UsageError, match="battle_royal needs 3 players"):
        duel(Bot(), Bot(), "battle_royal", pairs=1)


def test_each_game_has_an_opponent_that_plays_it() -> None:
    """Checks with hands to play are for bots of all games."""
    opponent = sample_opponent()
    for variant in all_variants():
        seats = variant.family.players(variant.rules)[0]
        hand, context = deal(variant, seats, "first", match="m_first")
        moment = moment_of(hand, context)

        assert opponent(moment.request)["action"] in {action.id for action in moment.legal}


def test_a_duel_in_a_game_that_a_bot_does_not_claim_says_so() -> None:
    """Instead of breaking off in its melds."""
    simple = FunctionBot(careful, name="simple", games=("gin_family",))
    with pytest.raises(UsageError, match=r"simple does not play indian_points; its games: gin_fam"):
        duel(Bot(), simple, variant="indian_points", pairs=1)


def played() -> tuple[list[BotView], str]:
    """What the bot at seat 0 saw in a hand, and the record of that hand."""
    seen: list[BotView] = []

    class Watching(Bot):
        def choose(self, view: BotView) -> str:
            seen.append(view)
            return careful(view)

    bots = (in_process(Watching()), in_process(FunctionBot(careful)))
    return seen, watch(setup(target=10), bots).hands[0].record


def test_views_of_a_record_are_what_the_bot_saw() -> None:
    """So that a hand that was lost can be a test of the bot that lost it."""
    seen, record = played()
    again = list(views(record, 0, "m_test/1/1"))

    first = [view for view in seen if view.request["hand"] == 1 and view.request["game"] == 1]
    assert len(first) > 3
    assert [view.request_id for view in again] == [view.request_id for view in first]
    assert [view.hand for view in again] == [view.hand for view in first]
    assert [view.legal for view in again] == [view.legal for view in first]
    assert [view.unseen for view in again] == [view.unseen for view in first]
    assert [view.rng.random() for view in again] == [view.rng.random() for view in first]
    assert [careful(view) for view in again] == [careful(view) for view in first]


def test_views_are_of_one_seat_that_played() -> None:
    """The cards of the other are as hidden as they were."""
    _, record = played()

    assert {view.seat for view in views(record, 1)} == {1}
    with pytest.raises(UsageError, match="nobody at seat 2 played this hand; its seats: 0, 1"):
        views(record, 2)
    with pytest.raises(UsageError, match="write MATCH/GAME/NUMBER"):
        views(record, 0, "m_test")
    with pytest.raises(InvalidRecord):
        views("H1 gin", 0)
