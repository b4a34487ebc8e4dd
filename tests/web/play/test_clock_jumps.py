"""What the wall clock skips counts as nobody's absence, and what it repeats passes in fact: G1."""

from __future__ import annotations

from digit_duel.web.play.connected.clock_jumps import ClockJumps


def jumps(*observed: tuple[float, int]) -> ClockJumps:
    found = ClockJumps()
    for monotonic, wall in observed:
        found.observe(monotonic, wall)
    return found


def test_a_clock_that_runs_evenly_has_skipped_nothing() -> None:
    found = ClockJumps()
    assert not any(found.observe(*both) for both in [(0, 5_000), (2, 7_000), (4, 9_400), (6, 10_900)])
    assert found.skipped == []


def test_a_jump_ahead_is_skipped() -> None:
    assert jumps((0, 0), (2, 60_000)).skipped == [(2_000, 60_000)]


def test_after_a_jump_back_only_what_lies_before_is_still_skipped() -> None:
    ahead = ((0.0, 0), (2.0, 60_000))
    assert jumps(*ahead, (4, 4_000)).skipped == [(2_000, 4_000)]
    assert jumps(*ahead, (4, 1_000)).skipped == []
    assert jumps(*ahead, (4, 50_000)).skipped == [(2_000, 50_000)]


def test_twenty_jumps_are_remembered() -> None:
    found = jumps(*((number, 10_000 * number) for number in range(31)))
    assert len(found.skipped) == 20
    assert found.skipped[-1] == (291_000, 300_000)
