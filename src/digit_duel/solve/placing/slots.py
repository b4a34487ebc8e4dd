"""The slots of a placing game: their numbering, their weights, and the number of states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

from digit_duel.core.game import Seat
from digit_duel.games._placement import Goal, Placement, Position, Reach, Tie
from digit_duel.solve.errors import TooBig

MEMORY_LIMIT = 2 << 30


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated size of a solve."""

    states: int
    cells: int
    bytes: int
    limit: int

    @property
    def fits(self) -> bool:
        """Whether the solve fits into the memory allowed."""
        return self.bytes <= self.limit

    def check(self) -> Estimate:
        """Return this estimate, or raise TooBig if the memory allowed is not enough."""
        if not self.fits:
            need, limit = self.bytes >> 20, self.limit >> 20
            states = f"this game is too big to solve: {self.states:,} states"
            raise TooBig(f"{states} need about {need:,} MiB; {limit:,} MiB are allowed.")
        return self


@dataclass(frozen=True)
class Slots:
    """Both boards of a game as one row of slots, in which slot 0 is the first seat's leftmost place.

    Bit s of a mask is set if slot s is filled; the number of set bits tells whose turn it is. The margin is
    the first seat's number minus the second's, negated if the lower number wins, so the first seat maximises
    it. A bonus shifts all margins equally, so tables leave it out.
    """

    game: Placement

    @cached_property
    def count(self) -> int:
        """The number of slots."""
        return 2 * self.game.places

    @cached_property
    def digits(self) -> tuple[int, ...]:
        """The different digits of the pool, ascending."""
        return tuple(sorted(set(self.game.pool)))

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """The most copies of each digit that can be placed."""
        held = Counter(self.game.pool)
        return tuple(min(held[digit], self.count) for digit in self.digits)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """How much a digit 1 in each slot adds to the margin."""
        places = self.game.places
        board = [10 ** (places - 1 - place) for place in range(places)]
        if self.game.goal is Goal.LOW:
            board = [-weight for weight in board]
        return tuple(board + [-weight for weight in board])

    def masks(self, filled: int) -> tuple[int, ...]:
        """Every reachable mask with this many filled slots, ascending."""
        places = self.game.places
        if self.game.reach is Reach.ANY:
            return tuple(sorted(_subsets(self.count, filled)))
        firsts = tuple(_subsets(places, _first_seats_share(filled)))
        seconds = _subsets(places, filled - _first_seats_share(filled))
        return tuple(sorted(first | second << places for second in seconds for first in firsts))

    def mask_count(self, filled: int) -> int:
        """The number of reachable masks with this many filled slots."""
        if self.game.reach is Reach.ANY:
            return comb(self.count, filled)
        first = _first_seats_share(filled)
        return comb(self.game.places, first) * comb(self.game.places, filled - first)

    def within_reach(self, filled: int) -> range:
        """The slots, empty or not, of the boards that the seat to move may fill."""
        if self.game.reach is Reach.ANY:
            return range(self.count)
        start = self.game.places * (filled % 2)
        return range(start, start + self.game.places)

    def open_to_mover(self, mask: int) -> tuple[int, ...]:
        """The empty slots that the seat to move may fill."""
        return tuple(slot for slot in self.within_reach(mask.bit_count()) if not mask >> slot & 1)

    @cached_property
    def states(self) -> int:
        """The number of reachable states."""
        return sum(self.mask_count(filled) * self.fillings(filled) for filled in range(self.count + 1))

    @cached_property
    def moves(self) -> int:
        """The number of moves in all reachable states together, each digit in each open slot."""
        held = Counter(self.game.pool)
        return sum(
            self.mask_count(filled)
            * self._open_count(filled)
            * sum(self.fillings(filled, digit) for digit in held)
            for filled in range(self.count)
        )

    def _open_count(self, filled: int) -> int:
        """The number of slots that the seat to move may fill."""
        if self.game.reach is Reach.ANY:
            return self.count - filled
        return self.game.places - filled // 2  # the mover has filled half of the slots, rounded down

    def fillings(self, filled: int, kept: int | None = None) -> int:
        """The number of ways to fill this many slots from the pool, with a copy of one digit kept back."""
        held = Counter(self.game.pool)
        ways = [1] + [0] * filled
        for digit in self.digits:
            copies = held[digit] - (digit == kept)
            ways = [
                sum(comb(size, used) * ways[size - used] for used in range(min(copies, size) + 1))
                for size in range(filled + 1)
            ]
        return ways[filled]

    def placed(self, position: Position) -> tuple[int, list[int]]:
        """The mask of a position and the digits in its filled slots, in slot order."""
        mask, bit, digits = 0, 1, []
        for seat in Seat:
            for digit in position.boards[seat]:
                if digit is not None:
                    mask |= bit
                    digits.append(digit)
                bit <<= 1
        return mask, digits

    def settled(self, mask: int, digits: Sequence[int]) -> int:
        """The part of the margin that the digits in the filled slots contribute."""
        return sum(self.weights[slot] * digit for slot, digit in zip(bits(mask), digits, strict=True))


def bits(mask: int) -> Iterator[int]:
    """The filled slots of a mask, ascending."""
    return (slot for slot in range(mask.bit_length()) if mask >> slot & 1)


def score(game: Placement, apart: int) -> int:
    """The first seat's result if the numbers end this far apart: 1 won, 0 drawn, -1 lost."""
    margin = apart - game.bonus
    # This never decreases with the margin, whatever the tie rule, and such a function commutes with max and
    # min. So best play by margin is best play by result, and the margin of a state determines its result.
    if margin == 0:
        return {Tie.FIRST: 1, Tie.DRAW: 0, Tie.SECOND: -1}[game.tie]
    return 1 if margin > 0 else -1


def _first_seats_share(filled: int) -> int:
    # If each seat fills its own board, the first has filled as many slots as the second, or one more.
    return (filled + 1) // 2


def _subsets(count: int, size: int) -> Iterator[int]:
    return (sum(1 << slot for slot in chosen) for chosen in combinations(range(count), size))
