"""What every board says at a glance: what wins, who is ahead, and what a choice does to the points."""

from __future__ import annotations

from random import Random

import pytest
from tests.worlds import played

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.core.script import Scene, Spot
from digit_duel.core.session import Session, dealer
from digit_duel.games._battle import Attack, Defend, Secret
from digit_duel.web.views.scenes import common


def scene(game: str, moves: str = "", seat: Seat = Seat.FIRST, **settings: str) -> Scene:
    """What a seat sees after some moves."""
    session = played(games.variant(game).customised(settings), moves.split())
    return session.variant.voice.scene(session.view(seat))


@pytest.mark.parametrize(
    ("game", "settings", "goal"),
    [
        ("classic", {}, "The higher number wins"),
        ("classic", {"goal": "low"}, "The lower number wins"),
        ("reverse", {}, "The lower number wins"),
        ("sabotage", {}, "The lower number wins"),
        ("cards", {}, "Higher number wins the round; first to 2 wins"),
        ("cards", {"wins_needed": "3"}, "Higher number wins the round; first to 3 wins"),
        ("cards", {"wins_needed": "1"}, "The higher number wins"),
        ("battle", {}, "When digits run out, more life wins; 0 loses"),
    ],
)
def test_a_table_says_what_wins(game: str, settings: dict[str, str], goal: str) -> None:
    variant = games.variant(game).customised(settings)
    assert variant.voice.scene(variant.game.view(variant.game.start(), Seat.FIRST)).goal == goal


def test_sudden_death_says_what_a_secret_digit_does() -> None:
    equal = "+9 +8 +7 +6 +5 +4 +3 +2 +1"  # both have 20
    assert scene("battle", equal).goal == "The higher digit takes the difference; 0 life loses"


@pytest.mark.parametrize(
    ("game", "moves", "leads"),
    [
        ("classic", "", None),
        ("classic", "9a1", Seat.FIRST),  # 987 against 876
        ("classic", "1a1 9b1", Seat.SECOND),  # 187 against 987
        ("classic", "5a1 9b2 7a2 8b3", None),  # 576 against 498, or 574 against 698: it depends on the 6
        ("reverse", "9a1", Seat.SECOND),  # 912 against 123
        ("sabotage", "9b1", Seat.FIRST),  # 0011 against 9001
        ("sabotage", "0a1 0b1", None),
        ("battle", "", None),
        ("battle", "x9", Seat.FIRST),  # 10 against 1
        ("battle", "x1 x9", Seat.SECOND),  # 1 against 9
        ("cards", "d7 k d8 k d9 k d4 k d5 k d6 k", None),  # the cards are nobody else's business
        ("cards", "d7 k d8 k d9 k d4 k d5 k d6 k a975 b864", Seat.FIRST),
    ],
)
def test_who_is_ahead_follows_from_what_everybody_sees(game: str, moves: str, leads: Seat | None) -> None:
    seen = [scene(game, moves, seat) for seat in Seat]
    assert [each.leads for each in seen] == [leads, leads]
    assert common(*seen).leads is leads


@pytest.mark.parametrize(
    ("game", "moves", "settings", "lead"),
    [
        ("classic", "5a1", {}, "higher so far"),  # 512 to 598 against 123 to 987
        ("classic", "9a1", {}, "sure to win"),  # nobody else has a 9
        ("classic", "9a1 8b1", {}, "sure to win"),  # at least 912 against at most 876
        ("classic", "1a3 9b2 8a1", {}, "sure to win"),  # at least 821 against at most 796
        ("reverse", "5a1", {}, "lower so far"),  # 512 to 598 against 123 to 987
        ("reverse", "1a1 2b1", {}, "sure to win"),
        ("sabotage", "9b1", {}, "lower so far"),
        ("sabotage", "8b1 9a2", {}, "lower so far"),  # 0900 may still become 9900
        ("sabotage", "9b1 8a1", {}, "sure to win"),  # at most 8999 against at least 9000
        ("battle", "x9", {}, "more life so far"),
        ("battle", "x9 +8 +7", {}, "more life so far"),  # 17 to 9, and 6, 5 and 4 may still turn it
        ("battle", "+9 x1 +8 x2 +7 x3 +6", {}, "sure to win"),  # 20 to 10, and Ben has one of 4 and 5
        ("cards", "d7 k d8 k d9 k d4 k d5 k d6 k a975 b864", {}, "more rounds so far"),
        ("classic", "9a1 8b1", {"bonus": "40"}, "higher so far"),  # 912 against 876 + 40
        ("classic", "9a1 8b1", {"bonus": "30"}, "sure to win"),  # 912 against 876 + 30
        ("classic", "d9 9a1 d8 8b1", {"pick": "draw"}, "sure to win"),
    ],
)
def test_a_lead_says_what_is_compared_or_that_the_game_is_decided(
    game: str, moves: str, settings: dict[str, str], lead: str
) -> None:
    seen = [scene(game, moves, seat, **settings) for seat in Seat]
    assert [each.lead for each in seen] == [lead, lead]
    assert common(*seen).lead == lead
    assert seen[0].leads is not None


@pytest.mark.parametrize("game", ["classic", "reverse", "sabotage", "battle"])
def test_whoever_is_sure_to_win_wins_whatever_is_played(game: str) -> None:
    rng, sure = Random(f"sure {game}"), 0
    for _ in range(150):
        session = Session(games.variant(game), ("Ann", "Ben"), dealer("sure"))
        promised: Seat | None = None
        while session.outcome is None:
            shown = session.variant.voice.scene(session.view(Seat.FIRST))
            if shown.lead == "sure to win":
                assert promised in (None, shown.leads)
                promised = shown.leads
            else:
                assert promised is None
            seat = session.acting[0]
            session.play(seat, rng.choice(session.game.legal(session.state, seat)))
        sure += promised is not None
        assert promised in (None, session.outcome.winner)
    assert sure > 20


def test_nobody_is_ahead_while_chance_picks_the_digits() -> None:
    assert scene("classic", "d5 5a1 d1", pick="draw").leads is None


def test_the_bonus_of_the_second_player_counts() -> None:
    assert scene("classic", "9a1 8b1", bonus="200").leads is Seat.SECOND  # 976 against 876 + 200


def test_whoever_swaps_seats_takes_over_the_lead() -> None:
    assert scene("classic", "9a1 swap", swap="yes").leads is Seat.SECOND


def test_a_spot_says_what_a_digit_does_to_the_points() -> None:
    session = played(games.variant("battle"), [])
    script, view = session.variant.voice, session.view(Seat.FIRST)
    assert script.spot(view, Attack(7)) == Spot(7, points=-7)
    assert script.spot(view, Defend(7)) == Spot(7, points=7)
    assert script.spot(view, Secret(Seat.FIRST, 3)) == Spot(3)


def test_the_digits_of_the_last_reveal_have_a_caption_until_somebody_chooses() -> None:
    """Sudden death at 2 to 2: two 3s change nothing; 4 against 3 leaves 3 to 1; then 2 against 1 ends it."""
    reveal = "+9 +3 +4 x5 x2 x7 x8 x6 x1"
    assert scene("battle", reveal).caption == ""
    assert scene("battle", f"{reveal} a3").caption == ""
    assert scene("battle", f"{reveal} a3 b3").caption == "last reveal"
    assert scene("battle", f"{reveal} a3 b3 a4").caption == ""
    assert scene("battle", f"{reveal} a3 b3 a4 b3").caption == "last reveal"
    assert scene("battle", f"{reveal} a3 b3 a4 b3 a2 b1").caption == ""  # the game is over
    seen = [scene("battle", f"{reveal} a3 b3", seat) for seat in Seat]
    assert common(*seen).caption == "last reveal"  # strangers see it, too
