"""Counting a match: from hands and games to its outcome. Pure.

Written rules:

- A match of ``games`` games is won by the seat with more games won; equal games are a draw.
- A match with ``wins_needed`` stops when a seat has won so many games, or when all are played.
- At tables of three and more, the places of all games decide: smallest sum first. Seats that share
  the first place with some but not all others, as partners do, win together; the match has no
  single winner then, and its places tell who won.
- A game that a seat forfeits is won by the others; nobody wins one that all forfeit.
- A seat that was out of a game without one answer in the whole match, not even a wrong one,
  forfeits the match. So do all seats together that have given no usable answer. The games that are
  left are played as long as two seats are left to play them; at such a table nobody asks the seat
  that is gone any more, and the safe action is played for it. So its opponents have as many games
  to be told apart by as those at other tables, and none of them gains by whom it sat with.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.referee.match import GamePlayed, MatchOutcome, MatchSetup
from arena.referee.verdicts import Termination
from arena.rules.base import DealPlan, Ending, GameEnding, HandOutcome, Settling, Sheet
from arena.rules.tables.sides import partners


class MatchScore:
    """The running score of one match."""

    def __init__(self, setup: MatchSetup) -> None:
        seats = len(setup.names)
        self.setup = setup
        self.games_won = [0] * seats
        self.games_drawn = 0
        self.games = 0
        self.points = [0] * seats
        self.hands = 0
        self.hands_won = [0] * seats
        self.hand_diffs: list[int] = []
        self.place_sums = [0] * seats
        self.strikes = False
        self.silent: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Whether no further game is played."""
        needed = self.setup.wins_needed
        decided = needed is not None and max(self.games_won) >= needed
        nobody_left = len(self.games_won) - len(self.silent) < 2
        return nobody_left or decided or self.games >= self.setup.games

    def add_hand(self, plan: DealPlan, outcome: HandOutcome) -> None:
        """Count a finished hand."""
        self.hands += 1
        if outcome.winner is not None:
            self.hands_won[plan.seats[outcome.winner]] += 1
        if len(self.games_won) == 2 and len(plan.seats) == 2:
            first = plan.seats.index(0)
            self.hand_diffs.append(outcome.points[first] - outcome.points[1 - first])

    def add_game(self, game: GamePlayed, silent: Sequence[int]) -> None:
        """Count a finished game. ``silent``: seats that forfeit the match by it."""
        self.games += 1
        for seat in game.winners:
            self.games_won[seat] += 1
        self.games_drawn += not game.winners
        self.strikes |= game.termination in (Termination.STRIKES, Termination.DOUBLE_FORFEIT)
        for seat, points in enumerate(game.points):
            self.points[seat] += points
            self.place_sums[seat] += game.places[seat]
        self.silent = tuple(silent)

    def outcome(self) -> MatchOutcome:
        """How the match ended."""
        places = self._places()
        best = [seat for seat, place in enumerate(places) if place == 1]
        winner = best[0] if len(best) == 1 else None
        if len(self.silent) == len(places):
            winner, termination = None, Termination.DOUBLE_FORFEIT
        elif self.silent:
            termination = Termination.UNREACHABLE
        elif len(best) == len(places):
            termination = Termination.DRAW
        else:
            termination = Termination.STRIKES if self.strikes else Termination.NORMAL
        return MatchOutcome(
            winner,
            tuple(self.games_won),
            self.games_drawn,
            tuple(self.points),
            self.hands,
            tuple(self.hands_won),
            tuple(self.hand_diffs),
            tuple(places) if len(places) > 2 else (),
            self.silent,
            termination,
            self._sentence(best, termination),
        )

    def _places(self) -> list[int]:
        """Places in the match by seat."""
        two = len(self.games_won) == 2
        merits = [
            (seat not in self.silent, self.games_won[seat] if two else -self.place_sums[seat])
            for seat in range(len(self.games_won))
        ]
        return [1 + sum(other > own for other in merits) for own in merits]

    def _sentence(self, best: Sequence[int], termination: Termination) -> str:
        names = self.setup.names
        if termination is Termination.DOUBLE_FORFEIT:
            return "No bot gave a usable answer; nobody wins."
        score = score_text(self.games_won)
        if termination is Termination.UNREACHABLE:
            gone = " and ".join(names[seat] for seat in self.silent)
            return f"{gone} never answered; {_wins(names, best)}."
        if len(names) > 2:
            games = _by_side(self.setup, self.games_won)
            if termination is Termination.DRAW:
                return f"{' and '.join(names)} draw; games: {games}."
            return f"{_wins(names, best)}; games: {games}."
        if termination is Termination.DRAW:
            return f"{' and '.join(names)} draw, {score}."
        winner = best[0]
        how = ", by strikes" if termination is Termination.STRIKES else ""
        return (
            f"{names[winner]} beats {names[1 - winner]} "
            f"{score_text([self.games_won[winner], self.games_won[1 - winner]])}{how}."
        )


def _by_side(setup: MatchSetup, values: Sequence[int]) -> str:
    """Numbers of a table of three and more, each with its bot: ``Ann 2, Bob 0, Cay 1``; partners,
    who share theirs, together: ``Ann + Cay 2, Bob + Dan 0``."""
    seats = range(len(setup.names))
    return ", ".join(
        f"{' + '.join(setup.names[seat] for seat in side)} {_number(values[side[0]])}"
        for side in partners(setup.variant, len(seats)) or [(seat,) for seat in seats]
    )


def score_text(values: Sequence[int]) -> str:
    """``134–30``, or ``134 to −30`` where a dash would stand beside a minus sign."""
    return (" to " if min(values) < 0 else "–").join(map(_number, values))


def _number(value: int) -> str:
    return str(value).replace("-", "\N{MINUS SIGN}")


def _wins(names: Sequence[str], winners: Sequence[int]) -> str:
    """``Ann wins``, ``Ann and Cay win``."""
    verb = "wins" if len(winners) == 1 else "win"
    return f"{' and '.join(names[seat] for seat in winners)} {verb}"


def forfeited_hand(plan: DealPlan, names: Sequence[str], out: Sequence[int]) -> HandOutcome:
    """The outcome of a hand that stopped because a game was forfeited: it counts nothing."""
    gone = " and ".join(f"P{plan.seats.index(seat)}" for seat in out if seat in plan.seats)
    return HandOutcome(
        ending=Ending.FORFEIT,
        points=(0,) * len(plan.seats),
        winner=None,
        shown=(),
        sentence=f"{gone} failed too often and forfeits the game",
    )


def game_played(
    setup: MatchSetup, number: int, hands: int, sheet: Sheet, out: Sequence[int]
) -> GamePlayed:
    """The result of a game as its sheet stands, with these seats out of it."""
    seats = range(len(setup.names))
    points = tuple(line.points for line in sheet.lines)
    totals = tuple(line.total for line in sheet.lines)
    rank = {
        seat: place for place, group in enumerate(sheet.ranking()) for seat in group
    }  # fmt: skip
    ending = None
    settlement: tuple[int, ...] = ()
    merits = [(seat in out, 0 if len(seats) == 2 and out else rank[seat]) for seat in seats]
    places = tuple(1 + sum(other < own for other in merits) for own in merits)
    if len(out) == len(seats):
        winners: tuple[int, ...] = ()
        termination = Termination.DOUBLE_FORFEIT
    elif len(seats) == 2 and out:
        winners = tuple(seat for seat in seats if seat not in out)
        termination = Termination.STRIKES
    else:
        present = tuple(seat for seat in sheet.winners if seat not in out)
        winners = present or (
            tuple(seat for seat in seats if places[seat] == 1) if sheet.winners else ()
        )
        termination = Termination.NORMAL if winners else Termination.DRAW
        ending = sheet.ending
        if isinstance(sheet, Settling):
            settlement = sheet.settlement()
    return GamePlayed(
        number,
        winners,
        points,
        totals,
        places,
        hands,
        termination,
        _sentence(setup, winners, points, termination, out, _how(ending, hands), settlement),
        ending,
        settlement,
    )


def _how(ending: GameEnding | None, hands: int) -> str:
    """What is to be said of an end that is not the usual one of the game."""
    count = f"{hands} hand" if hands == 1 else f"{hands} hands"
    match ending:
        case GameEnding.HAND_LIMIT:
            return f" at the limit of {count}"
        case GameEnding.SUDDEN_DEATH:
            return f" in sudden death after {count}"
        case GameEnding.DRAW:
            return f" after {count}"
    return ""


def _settled(names: Sequence[str], settlement: Sequence[int]) -> str:
    """``; settled: Ann +614, Bob −92, Cay −522``; empty where nothing is settled."""
    paid = [
        f"{name} {'+' if amount > 0 else ''}{_number(amount)}"
        for name, amount in zip(names, settlement, strict=False)
    ]
    return f"; settled: {', '.join(paid)}" if paid else ""


def _sentence(
    setup: MatchSetup,
    winners: Sequence[int],
    points: Sequence[int],
    termination: Termination,
    out: Sequence[int],
    how: str,
    settlement: Sequence[int],
) -> str:
    names = setup.names
    if termination is Termination.DOUBLE_FORFEIT:
        return "Every bot failed too often; nobody wins the game."
    if termination is Termination.STRIKES:
        gone = " and ".join(names[seat] for seat in out)
        return (
            f"{gone} failed {setup.clock.max_strikes} times and forfeits; "
            f"{_wins(names, winners)} the game."
        )
    if len(names) > 2:
        outcome = f"{_wins(names, winners)} the game" if winners else "The game is drawn"
        return f"{outcome}{how}: {_by_side(setup, points)}{_settled(names, settlement)}."
    seats = sorted(range(len(points)), key=lambda seat: seat not in winners)
    score = score_text([points[seat] for seat in seats])
    if not winners:
        return f"The game is drawn{how}, {score}."
    return f"{_wins(names, winners)} the game{how}, {score}."
