"""Digests of positions that are being played."""

from __future__ import annotations

from digit_duel.web.play.positions import digests

MOVES = ["9a1", "8b1", "7a2", "6b2", "5a3"]


def test_every_position_has_the_digest_that_its_moves_alone_give() -> None:
    found = digests("classic", {}, MOVES)
    assert len(found) == 4, "the first move is on many boards, and has none"
    assert found == [digests("classic", {}, MOVES[:length])[-1] for length in (2, 3, 4, 5)]
    assert digests("classic", {}, MOVES, 4) == found[2:]


def test_other_rules_and_other_moves_have_other_digests() -> None:
    told = [
        digests("classic", {}, ["1", "11"]),
        digests("classic", {}, ["11", "1"]),
        digests("reverse", {}, ["1", "11"]),
        digests("classic", {"pool": "1-8"}, ["1", "11"]),
        digests("classic", {}, ["1", "1", "1"]),
    ]
    assert len({digest for each in told for digest in each}) == 6
