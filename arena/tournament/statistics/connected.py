"""Who is connected with whom by games: what decides which entrants can be compared. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.tournament.statistics.bradley_terry import Observation


def pools_of(observed: Iterable[Observation]) -> list[list[int]]:
    """Entrants connected by games, the largest pool first."""
    meets: dict[int, set[int]] = {}
    for first, second in {(o.first, o.second) for o in observed}:
        meets.setdefault(first, set()).add(second)
        meets.setdefault(second, set()).add(first)
    pools = []
    left = set(meets)
    while left:
        pool = _reached(min(left), meets)
        left -= pool
        pools.append(sorted(pool))
    return sorted(pools, key=lambda pool: (-len(pool), pool[0]))


def chains_of(observed: Iterable[Observation]) -> dict[int, int]:
    """A number for each entrant, the same for two between whom games won (or drawn) lead in a
    chain both ways."""
    beats: dict[int, set[int]] = {}
    beaten: dict[int, set[int]] = {}
    left: set[int] = set()
    for o in observed:
        left |= {o.first, o.second}
        for winner, loser, share in (
            (o.first, o.second, o.share),
            (o.second, o.first, 1 - o.share),
        ):
            if share > 0:
                beats.setdefault(winner, set()).add(loser)
                beaten.setdefault(loser, set()).add(winner)
    chains: dict[int, int] = {}
    while left:
        start = min(left)
        chain = _reached(start, beats) & _reached(start, beaten)
        chains |= dict.fromkeys(chain, start)
        left -= chain
    return chains


def _reached(start: int, steps: Mapping[int, set[int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in steps.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return found
