"""Counts like `greedy`, and thinks about the opponent.

It does not throw what the opponent may be waiting for, as far as discards and pick-ups tell, and
before it knocks it imagines hands that the opponent may hold: is a knock now worth more than one
more turn, in which the opponent may knock first?
"""

from collections.abc import Iterable, Sequence
from functools import cache

from arena.bot import BotView, GinBot, PlayerView, run
from arena.rules.cards import BIT, NAMES, RANKS, SUITS
from arena.rules.layoffs import defend
from arena.rules.melds import default_spread

DANGER = 5.0
"""Points that it costs to throw a card which the opponent can certainly use."""
DECLINED = 0.1
"""How likely the opponent holds two cards although a third to them was thrown and left lying."""
PATIENCE = 6.0
"""Points by which a knock now must beat waiting: in truth waiting is better than it looks here,
since there is a turn after the next."""
IMAGINED = 16
"""Hands of the opponent that are imagined before a knock."""
NEXT_DRAWS = 12
"""Own draws that are imagined for waiting."""
MOST_IMPROVED = 8
"""Draws by which the opponent's imagined hand has improved at most."""
DOUBLE_LEAD = 22.0
"""Lead in deadwood at which a doubled stake is offered."""
GIVE_UP = 14.0
"""Lag in deadwood beyond which a doubled stake is refused."""


class Keen(GinBot):
    """Looks one turn ahead, at both hands."""

    name = "keen"
    author = "gin-arena"
    color = "#b4472f"
    max_concurrency = 2

    def wanted_discard(self, view: BotView) -> str | None:
        """The discard that leaves less deadwood than the stock does on average."""
        best = None
        least = view.expected_deadwood(view.hand)
        for draw, card in view.takeable.items():
            left = min(view.deadwood([*view.without(own), card]) for own in view.hand)
            if left < least:
                best, least = draw, left
        return best

    def unwanted_card(self, view: BotView) -> str:
        """The card that costs least: own deadwood to be expected, and use for an opponent."""
        costs = {
            card: view.expected_deadwood(view.without(card)) + DANGER * danger(view, card)
            for card in view.discards
        }
        return min(costs, key=lambda card: (costs[card], -view.value([card]), card))

    def wants_to_knock(self, view: BotView, card: str) -> bool:
        """Whether a knock now brings more than waiting for the next turn."""
        if view.deadwood_without(card) == 0 or len(view.opponents) != 1:
            return True
        table = Table(view)
        mine = mask_of(view.without(card))
        theirs = table.imagine(IMAGINED)
        now = table.worth_of_knock(mine, theirs)
        return now >= table.worth_of_waiting(mine, theirs) + PATIENCE

    def wants_to_double(self, view: BotView) -> bool:
        """With a clear lead."""
        return Table(view).lead(mask_of(view.hand)) >= DOUBLE_LEAD

    def accepts_double(self, view: BotView) -> bool:
        """Unless clearly behind."""
        return Table(view).lead(mask_of(view.hand)) >= -GIVE_UP


class Table:
    """What may be in the opponent's hand, and what that means for one's own."""

    def __init__(self, view: BotView) -> None:
        rules = view.rules
        self.view = view
        self.melds = view.tables
        self.rng = view.rng
        self.limit = view.knock_limit or 0
        self.gin = rules.get("gin_bonus", 25)
        self.undercut = rules.get("undercut_bonus", 25)
        self.tie_counts = rules.get("undercut_on_tie", True)
        self.layoff_on_gin = rules.get("layoff_on_gin", False)
        self.unseen = [BIT[card] for card in view.unseen]

    def imagine(self, count: int) -> list[int]:
        """Hands that the opponent may hold: dealt from the unseen cards, then improved for as
        many turns as it had."""
        opponent = self.view.opponents[0]
        known = mask_of(opponent.known)
        hidden = opponent.cards - len(opponent.known)
        turns = sum(entry["position"] == opponent.position for entry in self.view.log) // 2
        better = max(0, min(turns, MOST_IMPROVED, len(self.unseen) - hidden))
        best_discard = self.melds.best_discard
        hands = []
        for _ in range(count):
            hand = known | sum(self.rng.sample(self.unseen, hidden + better))
            for _ in range(better):
                hand ^= 1 << best_discard(hand)[1]
            hands.append(hand)
        return hands

    def lead(self, mine: int) -> float:
        """By how much the opponent's deadwood is greater, on average."""
        theirs = [self.melds.deadwood(hand) for hand in self.imagine(IMAGINED)]
        return sum(theirs) / len(theirs) - self.melds.deadwood(mine)

    def score(self, knocker: int, defender: int) -> int:
        """Points for the knocker; negative when the defender scores."""
        spread = default_spread(knocker, self.melds)
        own = self.melds.value_of(knocker ^ sum(spread))
        may_lay_off = own > 0 or self.layoff_on_gin
        theirs = defend(defender, spread, self.melds, may_lay_off=may_lay_off).value
        if own == 0:
            return int(self.gin + theirs)
        if own < theirs:
            return theirs - own
        if own == theirs and not self.tie_counts:
            return 0
        return -int(self.undercut + own - theirs)

    def worth_of_knock(self, mine: int, theirs: Sequence[int]) -> float:
        """Points that a knock brings on average."""
        return sum(self.score(mine, hand) for hand in theirs) / len(theirs)

    def worth_of_waiting(self, mine: int, theirs: Sequence[int]) -> float:
        """Points on average if one waits: the opponent may knock, else one knocks next turn."""
        best_discard = self.melds.best_discard
        lost, knocked = 0, 0
        for hand in theirs:
            drawn = hand | self.rng.choice(self.unseen)
            left, card = best_discard(drawn)
            if left <= self.limit:
                knocked += 1
                lost -= self.score(drawn ^ 1 << card, mine)
        draws = self.rng.sample(self.unseen, min(NEXT_DRAWS, len(self.unseen)))
        later = 0.0
        for draw in draws:
            _, card = best_discard(mine | draw)
            later += self.worth_of_knock((mine | draw) ^ 1 << card, theirs[: IMAGINED // 2])
        still_open = 1 - knocked / len(theirs)
        return lost / len(theirs) + still_open * later / len(draws)


def danger(view: BotView, card: str) -> float:
    """How likely some opponent can use this card in a meld, from 0 to 1."""
    safe = 1.0
    for opponent in view.opponents:
        safe *= 1 - _danger_from(view, opponent, card)
    return 1 - safe


def _danger_from(view: BotView, opponent: PlayerView, card: str) -> float:
    known = mask_of(opponent.known)
    unseen = mask_of(view.unseen)
    pile = mask_of(view.discard_pile)
    hidden = opponent.cards - len(opponent.known)
    likely = hidden / max(1, len(view.unseen))
    safe = 1.0
    for one, other in partners(card, view.rules.get("ace_mode", "low")):
        holds = 1.0
        for partner in (one, other):
            holds *= 1.0 if partner & known else likely if partner & unseen else 0.0
        if holds < 1.0 and thirds(one | other, view.rules.get("ace_mode", "low")) & pile:
            holds *= DECLINED
        safe *= 1 - holds
    return 1 - safe


@cache
def partners(card: str, ace_mode: str) -> tuple[tuple[int, int], ...]:
    """Pairs of cards that make a meld of three with this card."""
    rank, suit = RANKS.index(card[0]), card[1]
    same = [BIT[card[0] + other] for other in SUITS if other != suit]
    found = [(same[0], same[1]), (same[0], same[2]), (same[1], same[2])]
    for low in (rank - 2, rank - 1, rank):
        if ace_mode == "corner" or 0 <= low <= 10:
            run = [BIT[RANKS[at % 13] + suit] for at in range(low, low + 3) if at != rank]
            found.append((run[0], run[1]))
    return tuple(found)


@cache
def thirds(pair: int, ace_mode: str) -> int:
    """The cards that make a meld of three with these two."""
    return sum(
        BIT[card]
        for card in NAMES
        if any(one | other == pair for one, other in partners(card, ace_mode))
    )


def mask_of(cards: Iterable[str]) -> int:
    """The cards as one number, a bit a card."""
    return sum(BIT[card] for card in cards)


bot = Keen()

if __name__ == "__main__":
    run(bot)
