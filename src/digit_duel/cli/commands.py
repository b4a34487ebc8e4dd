"""The commands of digit-duel: each reads its options and calls the module that does the work.

Imports are inside the functions: --version and --help must start at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from digit_duel import __version__
from digit_duel.cli.parameters import (
    complete_files,
    complete_games,
    complete_levels,
    complete_rules,
    game_id,
    record_file,
    whole,
)

if TYPE_CHECKING:
    from digit_duel.cli.screen.terminal import Terminal
    from digit_duel.core.variant import AnyVariant

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def run() -> int:
    """Run the command line; print a sentence about what goes wrong and return the exit code."""
    try:
        main(standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.Abort as ended:  # what click makes of Ctrl-D and Ctrl-C
        if isinstance(ended.__cause__ or ended.__context__, EOFError):
            click.echo("\ndigit-duel: the input has ended.", err=True)
            return 3
        return 130
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except SystemExit as ended:
        if ended.code == 1:  # click's answer to a broken pipe; signals end with 128 and more
            raise BrokenPipeError from None
        raise
    except EOFError:
        click.echo("\ndigit-duel: the input has ended.", err=True)
        return 3
    except Exception as error:
        return _exit_code(error)
    return 0


def _terminal(plain: bool) -> Terminal:
    from digit_duel.cli.screen.terminal import standard_terminal

    return standard_terminal(plain)


def _say(text: str) -> None:
    """Print a text in whatever encoding standard output has."""
    _terminal(plain=True).say(text)


def _exit_code(error: Exception) -> int:
    """Print the problem that ended a command, and return its exit code; anything else is a bug."""
    from digit_duel.cli.errors import Leave, Problem
    from digit_duel.core.names import BadName
    from digit_duel.core.options import BadOption

    match error:
        case Leave():
            return error.code
        case BadOption() | BadName():
            code = 2
        case Problem():
            code = 1
        case _:
            raise error
    click.echo(f"digit-duel: {error}", err=True)
    return code


_GAME = click.argument("game", type=game_id, shell_complete=complete_games)
_FILE = click.argument("file", shell_complete=complete_files)
_PLAIN = click.option("--plain", is_flag=True, help="Plain text: no pictures, no colour.")
_SET = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Change a rule: see digit-duel rules GAME.",
    shell_complete=complete_rules,
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_ERRS = click.option(
    "--errs",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    metavar="SHARE",
    help="How often a person errs, where hands are hidden.",
)
_GAME_OF_FILE = click.option(
    "--game", "at", type=whole(1), default=1, metavar="N", help="Which game of the file."
)


@click.group(invoke_without_command=True, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="digit-duel", message="%(prog)s %(version)s")
@_PLAIN
@click.pass_context
def main(ctx: click.Context, plain: bool) -> None:
    """Five digit games for two players. Without a command: a guided start."""
    if ctx.invoked_subcommand is not None:
        return
    terminal = _terminal(plain)
    if not terminal.interactive:
        click.echo(ctx.get_help())
        return
    from digit_duel.cli.play.guide import guided_start

    with terminal.restored():
        guided_start(terminal)


@main.command()
@_GAME
@click.option("--vs", type=click.Choice(["person", "computer"]), default="person", help="Your opponent.")
@click.option(
    "--level",
    metavar="NAME",
    help="random, sensible, careful, sharp or perfect.",
    shell_complete=complete_levels,
)
@click.option("--first", type=click.Choice(["1", "2", "coin"]), default="1", help="Which player goes first.")
@click.option("--names", nargs=2, metavar="A B", help="The players' names.")
@click.option(
    "--match", "best_of", type=whole(1, 100_000), metavar="N", help="Play a match, best of N games."
)
@click.option("--first-to", type=whole(1, 100_000), metavar="N", help="Play a match, first to N wins.")
@click.option(
    "--seed", type=whole(0), metavar="N", help="Repeat the same draws, coin toss and computer moves."
)
@click.option("--draws", metavar="DIGITS", help="The first cards to draw, such as 729518, for lessons.")
@_SET
@click.option("--open", "open_hands", is_flag=True, help="Play with open hands.")
@_PLAIN
@click.option(
    "--record",
    type=record_file,
    metavar="FILE",
    help="Add the record of each game to a file.",
    shell_complete=complete_files,
)
@click.option("--server", metavar="URL", help="Play on a server, against its computer by default.")
@click.option("--invite", is_flag=True, help="On a server: play against a friend, who gets a link.")
@click.option("--join", metavar="LINK", help="Accept an invitation, or return to a game on a server.")
@click.option("--name", metavar="A", help="Your name on the server.")
def play(game: AnyVariant, settings: tuple[str, ...], open_hands: bool, plain: bool, **chosen: Any) -> None:
    """Play GAME, by default two people at this keyboard."""
    from digit_duel.cli.play import sitting
    from digit_duel.cli.play.messages import coin_toss
    from digit_duel.cli.play.plan import PlayOptions, customised, plan_game

    variant, options = customised(game, settings, open_hands), PlayOptions(**chosen)
    if options.server is not None or options.join is not None:
        from digit_duel.cli.online import play as online
        from digit_duel.cli.online.plan import plan_online

        online.play(_terminal(plain), plan_online(variant, options))
        return
    plan = plan_game(variant, options)
    terminal = _terminal(plain)
    if options.first == "coin":
        terminal.say(coin_toss(plan.names) + "\n")
    sitting.play(terminal, plan)


@main.command()
@click.argument("number", type=whole(1), required=False)
@_PLAIN
def resume(number: int | None, plain: bool) -> None:
    """Resume a saved game. Without NUMBER: the newest one."""
    from digit_duel.cli.play import sitting
    from digit_duel.cli.records.find_games import game_to_resume

    game = game_to_resume(number)
    sitting.resume(_terminal(plain), game.variant, game.record, game.save)


@main.command(name="games")
@click.option("--delete", type=whole(1), metavar="NUMBER", help="Delete one game for good.")
def games_command(delete: int | None) -> None:
    """List saved and finished games."""
    from digit_duel.cli.records import find_games

    _say(find_games.delete_game(delete) if delete else find_games.list_games())


@main.command()
@_FILE
@_GAME_OF_FILE
@_PLAIN
def replay(file: str, at: int, plain: bool) -> None:
    """Step through a record. FILE can be a number of digit-duel games."""
    from digit_duel.cli.records import find_games, replay

    replay.replay(_terminal(plain), *find_games.open_record(file, at))


@main.command()
@_FILE
@_GAME_OF_FILE
@click.option("--seat", type=click.Choice(["first", "second"]), help="Only what this seat saw.")
def export(file: str, at: int, seat: str | None) -> None:
    """Print a record. FILE can be a number of digit-duel games."""
    from digit_duel.cli.records import find_games

    _say(find_games.export_record(file, at, seat).removesuffix("\n"))


@main.command()
@_FILE
@_GAME_OF_FILE
@click.option("--seat", type=click.Choice(["first", "second"]), help="Only this seat's moves.")
@click.option("--again", metavar="N", help="Save the game as it stood before move N, such as 2a.")
@_ERRS
@_JSON
@_PLAIN
def review(
    file: str, at: int, seat: str | None, again: str | None, errs: float, as_json: bool, plain: bool
) -> None:
    """Explain the moves of a record. FILE can be a number of digit-duel games."""
    from digit_duel.cli import review
    from digit_duel.cli.records import find_games

    variant, record = find_games.open_record(file, at)
    if again is not None:
        review.try_again(_terminal(plain), variant, record, again, find_games.record_file_of(file))
    else:
        review.show(_terminal(plain), variant, record, seat, errs, as_json, pictures=not plain)


@main.command()
@click.argument("file", metavar="RECORD", shell_complete=complete_files)
@_GAME_OF_FILE
@click.option("--seal", metavar="HEX", help="The seal that the server showed you before the game.")
def verify(file: str, at: int, seal: str | None) -> None:
    """Check that a server dealt fairly, from the RECORD of a game."""
    from digit_duel.cli import verify

    _say(verify.verify_record(file, at, seal))


@main.command()
@_GAME
def rules(game: AnyVariant) -> None:
    """Explain the rules of GAME, with an example and the options."""
    from digit_duel.cli.rules import rulebook

    terminal = _terminal(plain=False)
    terminal.say(rulebook(game, terminal.size[0]))


@main.command()
@_GAME
@_SET
@_JSON
def solve(game: AnyVariant, settings: tuple[str, ...], as_json: bool) -> None:
    """Solve GAME from its start: who wins, and with which first moves."""
    from digit_duel.cli import solve
    from digit_duel.cli.play.plan import customised

    _say(solve.solve(customised(game, settings, open_hands=False), as_json))


@main.command()
@_GAME
@click.argument("moves", shell_complete=complete_files)
@click.option("--at", type=whole(0), metavar="N", help="The position after the first N moves.")
@click.option("--seat", type=click.Choice(["first", "second"]), help="From what this seat knows.")
@_ERRS
@_SET
@_JSON
def analyze(
    game: AnyVariant,
    moves: str,
    at: int | None,
    seat: str | None,
    errs: float,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Evaluate a position and its moves. MOVES are in notation, or the name of a record file."""
    from digit_duel.cli import analyze
    from digit_duel.cli.play.plan import customised

    variant = customised(game, settings, open_hands=False)
    _say(analyze.analyze(variant, moves, at, seat, errs, as_json))


def _number(low: int, high: int) -> Callable[[str | int], str]:
    """A number as text: what is not given comes from the environment or a file."""
    read = whole(low, high)
    return lambda typed: str(read(typed))


_CONFIG = click.option(
    "--config", metavar="FILE", help="A TOML file with settings.", shell_complete=complete_files
)
_DATABASE = click.option(
    "--database", metavar="FILE|URL", help="A SQLite file, or postgresql://... for several servers."
)


@main.command()
@click.option("--host", metavar="ADDRESS", help="Default 127.0.0.1; 0.0.0.0 lets the whole network in.")
@click.option("--port", type=_number(0, 65535), metavar="N", help="Default 8642; 0 takes any free one.")
@_DATABASE
@click.option("--public-url", metavar="URL", help="The address people use, behind a proxy with TLS.")
@click.option(
    "--proxies",
    "trusted_proxies",
    type=_number(0, 9),
    metavar="N",
    help="How many proxies of your own stand before it.",
)
@_CONFIG
@click.option(
    "--set", "wanted", multiple=True, metavar="NAME=VALUE", help="A limit, or how long to keep things."
)
def serve(config: str | None, wanted: tuple[str, ...], **options: str | None) -> None:
    """Play in the browser. The games are served on this machine, or to a network."""
    from digit_duel.cli import serve

    serve.serve(config, wanted, options)


@main.command()
@_FILE
@click.option("--with-key", is_flag=True, help="Save the key as well, in FILE.key.")
@_DATABASE
@_CONFIG
def backup(file: str, with_key: bool, database: str | None, config: str | None) -> None:
    """Save a server's games in FILE, also while it runs, and verify them."""
    from digit_duel.cli import backup

    _say(backup.back_up(config, database, file, with_key))


@main.command()
@_FILE
@_DATABASE
@_CONFIG
def restore(file: str, database: str | None, config: str | None) -> None:
    """Fill an empty database from the backup in FILE."""
    from digit_duel.cli import backup

    _say(backup.restore(config, database, file))


@main.command()
@click.argument("file", required=False, shell_complete=complete_files)
@_DATABASE
@_CONFIG
def check(file: str | None, database: str | None, config: str | None) -> None:
    """Verify every game of the backup in FILE, or of the server's database."""
    from digit_duel.cli import backup

    _say(backup.check(config, database, file))


@main.command()
@_DATABASE
@_CONFIG
def rotate_key(database: str | None, config: str | None) -> None:
    """Give a server a new key for the deals of new games."""
    from digit_duel.cli import backup

    _say(backup.rotate_key(config, database))


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands, games, levels and options with Tab."""
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None  # click knows these three
    _say(complete(main, {}, "digit-duel", "_DIGIT_DUEL_COMPLETE").source())
