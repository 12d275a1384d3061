"""The least points of a hand, exactly: a search over groups of the faces that are held.

Jokers are counted, not placed, until a grouping is written out: a `Part` is the natural cards of
a group and the number of jokers that it needs at least. Three facts keep the search small.

- Runs of more than five cards need not be tried: a longer one falls apart into two runs that
  count at least as much.
- A card alone needs two jokers. Such pairs of jokers (*covers*) are set aside first; as faces are
  taken in the order of falling value, each goes to the next card that would stay loose.
- Jokers that are left over join some group in the end and cost nothing meanwhile.

A state is one int: two bits a face for the natural cards left (so two copies of a card are one
state, not two), the jokers and covers left, and what a declaration still lacks.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from arena.errors import InvalidCards
from arena.rules.cards import SUITS
from arena.rules.indian.cards import JOKER, RANK_COUNT, VALUES, Cards, is_joker
from arena.rules.indian.groups import MIN_GROUP, WINDOWS, GroupRules

MOST_CARDS: Final = 14
MOST_COPIES: Final = 3
LONGEST_PART: Final = 5
IMPOSSIBLE: Final = 1 << 20
"""More than any hand counts."""

SEQUENCE: Final = 8
"""What is lacking, as one number: ``SEQUENCE`` * sequences + pure sequences."""
PURE_MASK: Final = SEQUENCE - 1


class Part(NamedTuple):
    """A group as the search sees it.

    ``fields``: one unit in the field of each face. ``jokers``: fewest that complete it; a wild
    card at its own place is among them and among the fields. ``cards``: the same faces.
    """

    fields: int
    jokers: int
    is_sequence: bool
    is_pure: bool
    cards: Cards


class Picked(NamedTuple):
    """A best grouping with its jokers still unplaced.

    ``covered``: single cards that take two jokers each. ``bare``: sequences made of jokers alone.
    """

    parts: tuple[Part, ...]
    covered: Cards
    loose: Cards
    bare: int


def _falling_value(face: int) -> tuple[int, int]:
    rank = face % RANK_COUNT
    return (-rank if rank else -RANK_COUNT, face)


class Search:
    """All groupings of one hand, and of that hand less one card, with a shared memory.

    :raises InvalidCards: more than 14 cards, or more of one face than three packs hold.
    """

    __slots__ = (
        "_faces",
        "_jokers",
        "_memory",
        "_natural_mask",
        "_ones",
        "_parts",
        "_pure",
        "_root",
        "_rules",
        "_units",
        "_values",
    )

    def __init__(self, cards: Cards, rules: GroupRules) -> None:
        self._rules = rules
        held = set(cards) - {JOKER}
        if len(cards) > MOST_CARDS or any([cards.count(face) > MOST_COPIES for face in held]):
            raise InvalidCards(
                f"{len(cards)} cards; a hand has at most {MOST_CARDS}, no more than {MOST_COPIES}"
                " of one name"
            )
        wild = sorted(face for face in held if is_joker(face, rules.wild))
        self._faces = sorted(held.difference(wild), key=_falling_value)
        self._units = {face: 1 << 2 * at for at, face in enumerate([*self._faces, *wild])}
        self._natural_mask = (1 << 2 * len(self._faces)) - 1
        self._ones = sum(self._units.values())
        self._values = [VALUES[face] for face in self._faces]
        self._root = sum([self._units[face] for face in cards if face != JOKER])
        self._jokers = sum([is_joker(face, rules.wild) for face in cards])
        self._parts: list[list[Part]] = [[] for _ in self._faces]
        self._pure: list[int] = []
        self._find_sets()
        self._find_runs()
        self._memory: dict[int, int] = {}

    def least(self, without: int | None = None) -> int:
        """Value of the loose cards at the best grouping, of the hand without this face.

        The value of all its cards where they cannot be grouped as a declaration needs.
        """
        return min(self._best(without)[0], self._total(without))

    def pick(self, without: int | None = None) -> Picked | None:
        """One best grouping; None where the cards lack the sequences of a declaration."""
        points, covers = self._best(without)
        if points >= IMPOSSIBLE:
            return None
        root, jokers = self._start(without)
        return self._walk(root, jokers - 2 * covers, covers)

    def _start(self, without: int | None) -> tuple[int, int]:
        if without is None:
            return self._root, self._jokers
        root = self._root - self._units.get(without, 0)
        return root, self._jokers - is_joker(without, self._rules.wild)

    def _total(self, without: int | None) -> int:
        root, _ = self._start(without)
        return sum([(root >> 2 * at & 3) * value for at, value in enumerate(self._values)])

    def _lacking(self) -> int:
        return self._rules.min_sequences * SEQUENCE + self._rules.min_pure

    def _best(self, without: int | None) -> tuple[int, int]:
        """Least loose value and the number of covers that reaches it."""
        best = (IMPOSSIBLE, 0)
        if self._rules.min_pure and not self._pure:
            return best
        root, jokers = self._start(without)
        for covers in range(jokers // 2 + 1):
            points = self._least(root, jokers - 2 * covers, covers, self._lacking())
            if points < best[0]:
                best = (points, covers)
                if points == 0:
                    break
        return best

    def _find_sets(self) -> None:
        by_rank: dict[int, list[int]] = {}
        for face in self._faces:
            by_rank.setdefault(face % RANK_COUNT, []).append(face)
        for faces in by_rank.values():
            for size in range(2, len(faces) + 1):
                jokers = max(0, MIN_GROUP - size)
                if jokers <= self._jokers:
                    for cards in combinations(faces, size):
                        self._add(cards, jokers, is_sequence=False)

    def _find_runs(self) -> None:
        rules = self._rules
        for suit in range(len(SUITS)):
            first = suit * RANK_COUNT
            held = sum([1 << f - first for f in self._faces if f // RANK_COUNT == suit])
            if not held:
                continue
            own_place = 0
            if rules.wild_natural_pure and rules.wild is not None:
                own_place = (first + rules.wild in self._units) << rules.wild
            seen: set[int] = set()
            for length in range(MIN_GROUP, LONGEST_PART + 1):
                for window in WINDOWS[rules.ace_high][length]:
                    there = held & window
                    missing = window & ~there
                    if not missing or missing == own_place:
                        self._add(_faces(window, first), missing.bit_count(), is_pure=True)
                    while there and self._jokers:
                        jokers = length - there.bit_count()
                        if 0 < jokers <= self._jokers and there not in seen:
                            seen.add(there)
                            if jokers < length - 1:
                                self._add(_faces(there, first), jokers)
                        there = (there - 1) & held & window

    def _add(
        self, cards: Cards, jokers: int, is_sequence: bool = True, is_pure: bool = False
    ) -> None:
        fields = sum([self._units[face] for face in cards])
        if not fields & self._natural_mask:
            return
        part = Part(fields, jokers, is_sequence, is_pure, cards)
        self._parts[_lowest(fields)].append(part)
        if is_pure:
            self._pure.append(fields)

    def _least(self, left: int, jokers: int, covers: int, lacking: int) -> int:
        """Least value of loose cards from this state; at least `IMPOSSIBLE` if it lacks still."""
        naturals = left & self._natural_mask
        if not naturals:
            return 0 if self._can_end(left, jokers + 2 * covers, lacking) else IMPOSSIBLE
        key = ((left << 4 | jokers) << 3 | covers) << 6 | lacking
        known = self._memory.get(key)
        if known is not None:
            return known
        there = (left | left >> 1) & self._ones
        best = IMPOSSIBLE
        if not lacking & PURE_MASK or any([not fields & ~there for fields in self._pure]):
            at = _lowest(naturals)
            for fields, needed, is_sequence, is_pure, _ in self._parts[at]:
                if needed <= jokers and not fields & ~there:
                    after = _after(lacking, is_sequence, is_pure)
                    points = self._least(left - fields, jokers - needed, covers, after)
                    if points < best:
                        best = points
                        if not best:
                            break
            if best:
                unit = 1 << 2 * at
                if covers:
                    after = _after(lacking, True, False)
                    best = min(best, self._least(left - unit, jokers, covers - 1, after))
                elif self._values[at] < best:
                    rest = self._least(left - unit, jokers, 0, lacking)
                    best = min(best, self._values[at] + rest)
        self._memory[key] = best
        return best

    def _can_end(self, left: int, jokers: int, lacking: int) -> bool:
        """Whether jokers alone make the sequences that are lacking when no other card is left."""
        sequences = lacking // SEQUENCE
        if lacking & PURE_MASK or jokers < MIN_GROUP * sequences:
            return False
        wild = sum([left >> at & 3 for at in range(0, left.bit_length(), 2)])
        return min(jokers, wild) >= sequences * self._rules.min_natural

    def _walk(self, left: int, jokers: int, covers: int) -> Picked:
        """The choices that lead to the value of this state."""
        parts: list[Part] = []
        covered: list[int] = []
        loose: list[int] = []
        lacking = self._lacking()
        while left & self._natural_mask:
            points = self._least(left, jokers, covers, lacking)
            there = (left | left >> 1) & self._ones
            at = _lowest(left & self._natural_mask)
            for part in self._parts[at]:
                if part.jokers <= jokers and not part.fields & ~there:
                    after = _after(lacking, part.is_sequence, part.is_pure)
                    state = (left - part.fields, jokers - part.jokers, covers, after)
                    if self._least(*state) == points:
                        parts.append(part)
                        break
            else:
                (covered if covers else loose).append(self._faces[at])
                after = _after(lacking, True, False) if covers else lacking
                state = (left - (1 << 2 * at), jokers, max(0, covers - 1), after)
            left, jokers, covers, lacking = state
        return Picked(tuple(parts), tuple(covered), tuple(loose), lacking // SEQUENCE)


def _lowest(fields: int) -> int:
    """Number of the lowest field that is not empty."""
    return (fields & -fields).bit_length() - 1 >> 1


def _faces(ranks: int, first: int) -> Cards:
    return tuple([first + rank for rank in range(RANK_COUNT) if ranks >> rank & 1])


def _after(lacking: int, is_sequence: bool, is_pure: bool) -> int:
    """What is lacking once this group is there."""
    if is_sequence and lacking >= SEQUENCE:
        lacking -= SEQUENCE
    if is_pure and lacking & PURE_MASK:
        lacking -= 1
    return lacking
