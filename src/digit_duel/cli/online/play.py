"""digit-duel play --server: play on a server, against its computer, with a friend, or where a link leads."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from digit_duel.cli.errors import INPUT_ENDED, INTERRUPTED, Leave, Problem
from digit_duel.cli.online import credentials
from digit_duel.cli.online.connection import Connection, ServerAddress, ServerRefused
from digit_duel.cli.online.fairness import Commitment, check_record
from digit_duel.cli.online.game import OnlineGame
from digit_duel.cli.online.json_answer import Json
from digit_duel.cli.online.plan import OnlinePlan
from digit_duel.cli.online.view import GameView, read_view
from digit_duel.cli.play.prompt import confirm
from digit_duel.cli.records.autosave import add_record
from digit_duel.cli.screen.qr_code import qr_code
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant
from digit_duel.web.replies import Code


def play(terminal: Terminal, plan: OnlinePlan) -> None:
    """Play on a server, with rematches if the player wants them; Leave or Problem if it ends early."""
    connection = Connection(ServerAddress.parse(plan.server or plan.join or ""), terminal.say)
    try:
        with terminal.restored():
            _play_games(terminal, connection, plan, _sign_in(connection))
    except ServerRefused as refused:
        raise Problem(refused.message[:1].lower() + refused.message[1:]) from refused
    except BadOption as wrong:
        raise Problem(f"this game cannot be played here: {wrong}") from wrong


def _play_games(terminal: Terminal, connection: Connection, plan: OnlinePlan, deal: Json) -> None:
    if plan.join:
        view, commitment = _join_game(connection, plan)
    else:
        view, commitment = _create_game(terminal, connection, plan, deal)
    while True:
        variant = plan.variant.customised(view.settings)
        if view.match:
            terminal.say(view.match)
        game = OnlineGame(terminal, connection, variant.rules.text, view)
        try:
            game.play()
            _check_game(terminal, connection, plan, variant, game.view, commitment)
            seed = secrets.token_hex(16)
            again = terminal.interactive and confirm(terminal, "Do you want to play again? (yes/no): ")
            next_game = game.rematch(seed) if again else None
        except (Leave, KeyboardInterrupt, EOFError) as leaving:
            raise _say_goodbye(terminal, connection, plan, game.view, leaving) from None
        except Problem as problem:
            raise Problem(f"{problem} {_way_back(connection, plan, game.view)}".rstrip()) from problem
        if next_game is None:
            return
        view = read_view(connection.ask("GET", f"/api/games/{next_game}"))
        commitment = Commitment(view.seal, seed)


def _sign_in(connection: Connection) -> Json:
    """Use the session that we have on this server, if any; return the deal for a new game."""
    server = str(connection.server)
    connection.token = credentials.load(server) or ""
    try:
        return connection.ask("GET", "/api/me", repeat=False)["deal"]
    except ServerRefused as refused:
        if refused.code is not Code.FORBIDDEN or not connection.token:
            raise
    connection.token = ""
    credentials.delete(server)
    return connection.ask("GET", "/api/me", repeat=False)["deal"]


def _take_seat(connection: Connection, path: str, wish: Mapping[str, object]) -> Json:
    """Take a seat, with a new session if we have none; the server accepts the same request twice."""
    attempt = {"bearer": not connection.token, "attempt": secrets.token_hex(16)}
    answer = connection.ask("POST", path, {**wish, **attempt})
    if "token" in answer:
        token = answer["token"].text
        if not (token.isascii() and token.isprintable() and " " not in token):
            raise Problem("the server sent a token that cannot be used.")
        connection.token = token
        credentials.save(str(connection.server), token)
    return answer


def _create_game(
    terminal: Terminal, connection: Connection, plan: OnlinePlan, deal: Json
) -> tuple[GameView, Commitment]:
    """Create a game against the computer or for a friend, and take a seat in it."""
    commitment = Commitment(deal["seal"].text, secrets.token_hex(16))
    wish = {
        "game": deal["game"].text,
        "name": plan.name or "Player 1",
        "seed": commitment.seed,
        "variant": plan.variant.id,
        "settings": plan.variant.settings,
        "opponent": "friend" if plan.invite else "computer",
        "level": None if plan.invite else plan.level,
        "start": plan.start,
        "hints": not plan.invite,
        "match": plan.match,
    }
    created = _take_seat(connection, "/api/games", wish)
    if plan.invite:
        _show_invitation(terminal, created["invite"])
    return read_view(created["view"]), commitment


def _join_game(connection: Connection, plan: OnlinePlan) -> tuple[GameView, Commitment]:
    """Accept the invitation that a link is, or return to a game in which we have a seat."""
    assert plan.join is not None
    parts = urlsplit(plan.join if "://" in plan.join else f"http://{plan.join}")
    path = parts.path.strip("/").split("/")
    if len(path) < 2 or path[-2] not in ("j", "g") or not _is_game_id(path[-1]):
        raise Problem("--join takes a link to a game, such as https://duel.example/j/GAME#SECRET")
    view = read_view(connection.ask("GET", f"/api/games/{path[-1]}", repeat=False))
    if view.variant != plan.variant.id:
        raise Problem(f"that is a game of {view.variant}: digit-duel play {view.variant} --join LINK")
    if view.seat is not None:
        return view, Commitment(view.seal, None)
    if not parts.fragment:
        raise Problem("you have no seat in that game, and the link is not an invitation.")
    commitment = Commitment(view.seal, secrets.token_hex(16))
    wish = {"name": plan.name or "Player 2", "seed": commitment.seed, "invite": parts.fragment}
    joined = _take_seat(connection, f"/api/games/{path[-1]}/join", wish)
    return read_view(joined["view"]), commitment


def _is_game_id(text: str) -> bool:
    return text.isascii() and 0 < len(text) <= 40 and text.replace("-", "").replace("_", "").isalnum()


def _show_invitation(terminal: Terminal, invite: Json) -> None:
    terminal.say(f"Send this link to a friend:\n\n  {invite['url'].text}\n")
    if "qr" in invite and invite["qr"].value is not None:
        lines = qr_code([row.text for row in invite["qr"].items], terminal.style)
        if lines and len(lines) < terminal.size[1]:
            terminal.say("\n".join(lines) + "\n")


def _check_game(
    terminal: Terminal,
    connection: Connection,
    plan: OnlinePlan,
    variant: AnyVariant,
    view: GameView,
    commitment: Commitment,
) -> None:
    """Check that the game was fair, and add its record to the player's file."""
    if not view.news and view.scene is None:
        return  # cancelled before it began
    assert view.seat is not None
    text = connection.ask("GET", f"/api/games/{view.game}/record").text
    record, hidden = check_record(text, variant, view.seat, commitment)
    if hidden:
        terminal.say("\nChecked: all cards and secrets are what the server sealed before the game.")
    if plan.record_file is not None:
        add_record(plan.record_file, record)


def _say_goodbye(
    terminal: Terminal, connection: Connection, plan: OnlinePlan, view: GameView, leaving: BaseException
) -> Leave:
    """Say where the game is and how to return to it."""
    match leaving:
        case Leave():
            code, why = leaving.code, ""
        case KeyboardInterrupt():
            code, why = INTERRUPTED, "Interrupted. "
        case _:
            code, why = INPUT_ENDED, "The input has ended. "
    if back := _way_back(connection, plan, view):
        terminal.say(f"\n{why}The server keeps the game. {back}")
    return Leave(code)


def _way_back(connection: Connection, plan: OnlinePlan, view: GameView) -> str:
    if view.phase == "over":
        return ""
    link = f"{connection.server}/g/{view.game}"
    return f"To go on with it: digit-duel play {plan.variant.id} --join {link}"
