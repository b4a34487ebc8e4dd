"""Leaks of the view: what is shown, to whom, and how much of it (SAFETY C1, C2, C3, C6, C9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs, to_builtins
from tests.web.leaks.planting import Patch, in_view, leak, plain, telling

from digit_duel.core.game import Seat
from digit_duel.web.play.fair_deals import deals
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.play.online_game import News, OnlineGame
from digit_duel.web.views import game_view, history, news, scenes
from digit_duel.web.views.view_types import GameView

# Views (C1, C2, C6).


@leak()
def the_state_is_in_the_view(patch: Patch) -> None:
    """The whole state, left in the view for debugging."""
    in_view(patch, lambda found, of, seat: found.update(state=repr(of.session and of.session.state)))


@leak()
def the_opening_is_in_the_view(patch: Patch) -> None:
    """The first event unchanged: with the owner, and the hash of the invitation."""
    in_view(patch, lambda found, of, seat: found.update(opening=to_builtins(of.opening)))


@leak()
def the_seed_is_in_the_view(patch: Patch) -> None:
    """The view contains the seed, as in boardgame.io (#1159)."""
    honest = GameService.seen

    def leaky(self: GameService, live: LiveGame, *known: Any) -> Any:
        found = plain(honest(self, live, *known))
        found.update(random={"seed": live.seed})
        return found

    patch.setattr(GameService, "seen", leaky)


@leak()
def the_digest_is_in_the_view(patch: Patch) -> None:
    """The digest of the log: whoever tries all digits learns what is in the log."""
    in_view(patch, lambda found, of, seat: found.update(digest=of.digest))


@leak()
def client_seeds_are_in_the_view(patch: Patch) -> None:
    """Each player's part in the deal, before the end."""
    in_view(
        patch, lambda found, of, seat: found["players"][0].update(seed=[each.seed for each in of.players])
    )


@leak()
def command_ids_are_in_the_view(patch: Patch) -> None:
    """The ids under which the other's client sent its commands."""
    in_view(patch, lambda found, of, seat: found.update(clients=[name for _, name in of.clients]))


@leak()
def the_table_is_for_sending(patch: Patch) -> None:
    """News are sent as they are in the log."""
    in_view(patch, lambda found, of, seat: found.update(log=[each.event.body for each in of.news]))


@leak()
def the_version_counts_more(patch: Patch) -> None:
    """Versions that depend on what happened unseen (C9)."""
    in_view(patch, lambda found, of, seat: found.update(version=found["version"] + telling(of) % 2))


@leak()
def the_count_of_watchers_tells(patch: Patch) -> None:
    """A number that nobody looks at."""
    in_view(patch, lambda found, of, seat: found.update(watchers=telling(of) % 3))


@leak()
def being_here_tells(patch: Patch) -> None:
    """A flag that depends on a secret."""
    in_view(patch, lambda found, of, seat: found["players"][1].update(here=telling(of) % 2 == 0))


@leak()
def the_claim_tells(patch: Patch) -> None:
    """A time that depends on a secret."""
    in_view(patch, lambda found, of, seat: found.update(claim={"seconds": telling(of) % 900}))


@leak()
def the_settings_tell(patch: Patch) -> None:
    """The pool as it is left, among the rules."""
    in_view(patch, lambda found, of, seat: found["variant"]["settings"].update(pool=str(telling(of) % 10)))


@leak()
def the_order_of_the_keys_tells(patch: Patch) -> None:
    """The same content, put together in another order."""

    def change(found: dict[str, Any], of: OnlineGame, seat: Seat | None) -> None:
        found["players"] = [
            dict(sorted(each.items(), reverse=telling(of) % 2 == 0)) for each in found["players"]
        ]

    in_view(patch, change)


@leak()
def blanks_tell(patch: Patch) -> None:
    """No digit is shown, but as many blanks as the secret says (C8)."""
    in_view(patch, lambda found, of, seat: found.update(headline=found["headline"] + " " * (telling(of) % 5)))


@leak()
def the_text_for_the_blind_tells(patch: Patch) -> None:
    """A label that only screen readers read (C3)."""

    def change(found: dict[str, Any], of: OnlineGame, seat: Seat | None) -> None:
        for row in found["scene"]["rows"] if found["scene"] else ():
            for cell in row["cells"]:
                cell["label"] = f"card {telling(of) % 10}"

    in_view(patch, change)


@leak()
def a_digit_brings_the_server_down(patch: Patch) -> None:
    """An exception that only some hands cause (C7)."""

    def change(found: dict[str, Any], of: OnlineGame, seat: Seat | None) -> None:
        assert seat is not None or of.same_device or telling(of) % 3  # there it would stop the movers

    in_view(patch, change)


@leak()
def the_time_of_a_seal_tells(patch: Patch) -> None:
    """Sealed some milliseconds later if the digit is high."""

    def change(found: dict[str, Any], of: OnlineGame, seat: Seat | None) -> None:
        for each in found["news"]:
            if "at" in each:
                each["at"] += telling(of) % 5

    in_view(patch, change)


@leak("battle")
def the_salt_is_in_the_view(patch: Patch) -> None:
    """Whoever has the salt tries five digits (C12)."""
    honest = GameService.seen

    def leaky(self: GameService, live: LiveGame, *known: Any) -> Any:
        found = plain(honest(self, live, *known))
        choices = [each for each in found["news"] if "seal" in each]
        found.update(salts=[deals.salt(self.keys.newest, live.game.id, each["version"]) for each in choices])
        return found

    patch.setattr(GameService, "seen", leaky)


@leak("cards")
def a_stranger_sees_with_the_first_seats_eyes(patch: Patch) -> None:
    """The spectator's scene is not merged (netrunner's and boardgame.io's classic)."""
    patch.setattr(game_view, "common", lambda one, other: one)


@leak("cards")
def a_stranger_is_told_the_counts_of_a_seat(patch: Patch) -> None:
    """The digits that a seat has seen are its hand, and more."""
    honest = scenes.common
    patch.setattr(game_view, "common", lambda one, other: replace(honest(one, other), counts=one.counts))


@leak("cards")
def a_stranger_sees_what_either_sees(patch: Patch) -> None:
    """The union of both seats' views instead of what they have in common."""
    patch.setattr(scenes, "_common_cell", lambda one, other: other if one.hidden else one)


@leak("cards")
def a_seat_sees_with_the_others_eyes(patch: Patch) -> None:
    """Seats mixed up."""
    honest = game_view._make_seat_view

    def leaky(of: OnlineGame, seat: Seat | None) -> GameView:
        return structs.replace(honest(of, seat), scene=honest(of, None if seat is None else seat.other).scene)

    patch.setattr(game_view, "_make_seat_view", leaky)


@leak("cards")
def one_sight_is_cached_for_all(patch: Patch) -> None:
    """A cache whose key lacks the viewer."""

    def leaky(of: OnlineGame, seat: Seat | None) -> GameView:
        if None not in of.sights:
            of.sights[None] = game_view._make_seat_view(of, seat)
        return of.sights[None]

    patch.setattr(game_view, "_seat_view", leaky)


@leak("cards")
def a_cache_outlives_its_table(patch: Patch) -> None:
    """A cache by game and version, filled by the mover."""
    honest = game_view._make_seat_view

    def leaky(of: OnlineGame, seat: Seat | None) -> GameView:
        mover = of.acting[0] if of.acting else Seat.FIRST
        return structs.replace(honest(of, seat), headline=bytes(honest(of, mover).scene).decode())

    patch.setattr(game_view, "_make_seat_view", leaky)


@leak("cards")
def the_others_choices_are_listed(patch: Patch) -> None:
    """The moves of whoever is to move, for everybody."""
    honest = game_view._make_seat_view

    def leaky(of: OnlineGame, seat: Seat | None) -> GameView:
        return structs.replace(honest(of, seat), moves=[each for whose in Seat for each in of.legal[whose]])

    patch.setattr(game_view, "_make_seat_view", leaky)


@leak("battle")
def a_secret_choice_is_written_down(patch: Patch) -> None:
    """The notation of a choice that is still sealed."""
    patch.setattr(news, "_notation", lambda of, event, seat: getattr(event.body, "move", None))


@leak("battle")
def a_secret_choice_is_hidden_from_strangers_only(patch: Patch) -> None:
    """The check asks whether somebody plays, not who."""
    honest = news._notation
    patch.setattr(
        news,
        "_notation",
        lambda of, event, seat: (
            honest(of, event, None) if seat is None else getattr(event.body, "move", None)
        ),
    )


@leak("cards")
def everybody_reads_the_movers_story(patch: Patch) -> None:
    """The news are worded for the mover, and sent to all."""
    honest = news._words
    patch.setattr(
        news,
        "_words",
        lambda of, event, seat: honest(
            of, event, None if event.event.seat is None else Seat(event.event.seat)
        ),
    )


@leak("cards")
def draws_are_in_the_news(patch: Patch) -> None:
    """Nature's moves are told, too."""
    honest = news.told

    def leaky(of: OnlineGame, event: News, seat: Seat | None) -> Any:
        found = honest(of, event, seat)
        draws = [str(each.move) for each in event.steps if each.seat is None]
        return found and {**to_builtins(found), "draws": draws}

    patch.setattr(game_view, "told", leaky)


@leak()
def some_news_are_left_out(patch: Patch) -> None:
    """The number of news depends on a secret (C9)."""
    honest = news.told
    patch.setattr(
        game_view,
        "told",
        lambda of, event, seat: honest(of, event, seat) if (telling(of) + event.event.version) % 3 else None,
    )


@leak("cards")
def a_strangers_headline_tells(patch: Patch) -> None:
    """A headline for spectators that says too much."""
    patch.setattr(game_view, "_onlooker", lambda of: f"A {telling(of) % 10} was drawn.")


@leak("cards")
def the_past_is_shown_in_the_movers_eyes(patch: Patch) -> None:
    """An earlier position as whoever was to choose saw it."""
    honest = history._scene

    def leaky(script: Any, then: Any, seat: Seat | None) -> Any:
        return honest(script, then, then.acting[0] if then.acting else seat)

    patch.setattr(history, "_scene", leaky)


@leak("cards")
def the_past_of_a_stranger_is_the_first_seats(patch: Patch) -> None:
    """A spectator is taken for seat 0, because a careless test takes seat 0 for no seat."""
    honest = history._scene
    patch.setattr(history, "_scene", lambda script, then, seat: honest(script, then, seat or Seat.FIRST))


@leak("cards")
def some_of_the_past_is_left_out(patch: Patch) -> None:
    """Which positions are told depends on a secret (C9)."""
    honest = history._stations

    def leaky(of: OnlineGame, then: Any) -> Any:
        return (each for each in honest(of, then) if (telling(of) + each[0]) % 3)

    patch.setattr(history, "_stations", leaky)
