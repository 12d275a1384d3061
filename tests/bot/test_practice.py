"""Playing bots against each other in one process."""

from __future__ import annotations

import pytest

from arena.bot import Bot, BotView, FunctionBot, practice
from arena.bot.practice import duel, sample_opponent
from arena.errors import IllegalAction, InvalidSettings, UsageError
from arena.referee.moments import deal, moment_of
from arena.rules.base import Ending, HandOutcome
from arena.rules.games import all_variants


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


def test_an_illegal_choice_is_raised() -> None:
    """In practice a mistake stops everything, with the action's name."""
    with pytest.raises(IllegalAction, match="'fly' was not among"):
        duel(FunctionBot(lambda view: "fly"), Bot(), pairs=1)


def test_games_for_more_players_are_refused() -> None:
    """A duel is between two."""
    with pytest.raises(InvalidSettings):
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
