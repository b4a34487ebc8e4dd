"""The commands of digit-duel: each reads its options and calls the module that does the work.

Imports are inside the functions: --version and --help must start at once.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import click

from digit_duel import __version__
from digit_duel.cli.lab import lab
from digit_duel.cli.parameters import (
    EDITION,
    GAME,
    GAME_UNLESS_JOINING,
    JSON,
    SET,
    complete_files,
    complete_levels,
    record_file,
    share,
    whole,
)
from digit_duel.cli.research import research
from digit_duel.cli.say import complain, exit_code, say
from digit_duel.cli.server_commands import backup, check, restore, rotate_key, serve

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
        with StringIO() as said:
            wrong.show(said)
            complain(said.getvalue().removesuffix("\n"))
        return wrong.exit_code
    except SystemExit as ended:
        if ended.code == 1:  # click's answer to a broken pipe; signals end with 128 and more
            raise BrokenPipeError from None
        raise
    except EOFError:
        click.echo("\ndigit-duel: the input has ended.", err=True)
        return 3
    except Exception as error:
        return exit_code(error)
    return 0


def _terminal(plain: bool) -> Terminal:
    from digit_duel.cli.screen.terminal import standard_terminal

    return standard_terminal(plain)


def _full_screen(plain: bool, lines: bool) -> bool:
    """Whether to open the full-screen app."""
    from digit_duel.cli.app.run import fits

    return not plain and not lines and fits()


_FILE = click.argument("file", shell_complete=complete_files)
_PLAIN = click.option("--plain", is_flag=True, help="Plain text, for screen readers and scripts.")
_LINES = click.option("--lines", is_flag=True, help="Line by line, not full screen.")
_ERRS = click.option(
    "--errs",
    type=share,
    default=0.1,
    show_default=True,
    metavar="SHARE",
    help="How often a person is assumed to err where hands are hidden, from 0 to 1.",
)
_GAME_OF_FILE = click.option(
    "--game", "at", type=whole(1), default=1, metavar="N", help="Which game in the file."
)


class _InOrder(click.Group):
    """A group whose help lists the commands as they were added: those of players first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(self.commands)


@click.group(cls=_InOrder, invoke_without_command=True, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="digit-duel", message="%(prog)s %(version)s")
@_PLAIN
@_LINES
@click.pass_context
def main(ctx: click.Context, plain: bool, lines: bool) -> None:
    """Five digit games for two players. Without a command, choose a game on the first screen."""
    if ctx.invoked_subcommand is not None:
        # An option given before the command holds for the command, too.
        given = {option: True for option, said in (("plain", plain), ("lines", lines)) if said}
        ctx.default_map = dict.fromkeys(main.commands, given)
        return
    if _full_screen(plain, lines):
        from digit_duel.cli.app import run as app

        app.open_home()
        return
    terminal = _terminal(plain)
    if not terminal.interactive:
        click.echo(ctx.get_help())
        return
    from digit_duel.cli.play.guide import guided_start

    with terminal.restored():
        guided_start(terminal)


@main.command()
@GAME_UNLESS_JOINING
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
@click.option("--seed", type=whole(0), metavar="N", help="Repeat draws, coin toss and computer moves.")
@click.option("--draws", metavar="DIGITS", help="The first cards to deal, such as 729518, for lessons.")
@SET
@EDITION
@click.option("--open", "open_hands", is_flag=True, help="Play with open hands.")
@_PLAIN
@_LINES
@click.option(
    "--record",
    type=record_file,
    metavar="FILE",
    help="Append the record of each game to a file.",
    shell_complete=complete_files,
)
@click.option("--server", metavar="URL", help="Play on a server, against its computer by default.")
@click.option("--invite", is_flag=True, help="On a server: play against a friend, who gets a link.")
@click.option("--join", metavar="LINK", help="Accept an invitation, or return to a game on a server.")
@click.option("--name", metavar="A", help="Your name on the server.")
@click.pass_context
def play(
    ctx: click.Context,
    /,
    game: AnyVariant | None,
    settings: tuple[str, ...],
    edition: str | None,
    open_hands: bool,
    plain: bool,
    lines: bool,
    **chosen: Any,
) -> None:
    """Play GAME, by default with two people at this keyboard. With --join, the link says which game."""
    from digit_duel.cli.play import sitting
    from digit_duel.cli.play.messages import coin_toss
    from digit_duel.cli.play.plan import PlayOptions, customised, plan_game

    options = PlayOptions(**chosen)
    if game is not None:
        game = customised(game, settings, open_hands, edition)
    elif options.join is None:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    if options.server is not None or options.join is not None:
        from digit_duel.cli.online.plan import plan_online

        online_plan = plan_online(game, options, house_rules=bool(settings or open_hands or edition))
        if _full_screen(plain, lines):
            from digit_duel.cli.app import run as app

            app.play_online(online_plan)
            return
        from digit_duel.cli.online import play as online

        online.play(_terminal(plain), online_plan)
        return
    assert game is not None
    plan = plan_game(game, options)
    if _full_screen(plain, lines):
        from digit_duel.cli.app import run as app

        app.play(plan)
        return
    terminal = _terminal(plain)
    if options.first == "coin":
        terminal.say(coin_toss(plan.names) + "\n")
    sitting.play(terminal, plan)


@main.command()
@GAME
@click.argument("lesson", type=whole(1), required=False)
@_PLAIN
@_LINES
def learn(game: AnyVariant, lesson: int | None, plain: bool, lines: bool) -> None:
    """Learn GAME in a few short lessons. Without LESSON, start where you stopped."""
    if _full_screen(plain, lines):
        from digit_duel.cli.app import run as app

        app.learn(game, lesson)
        return
    from digit_duel.cli.learn import learn

    terminal = _terminal(plain)
    with terminal.restored():
        learn(terminal, game, lesson)
    terminal.say(f"Now play it: digit-duel play {game.id} --vs computer")


@main.command()
@GAME
@SET
@EDITION
def rules(game: AnyVariant, settings: tuple[str, ...], edition: str | None) -> None:
    """Explain the rules of GAME, with an example and the options."""
    from digit_duel.cli.play.plan import customised
    from digit_duel.cli.rules import rulebook

    terminal = _terminal(plain=False)
    terminal.say(rulebook(customised(game, settings, edition=edition), terminal.size[0]))


@main.command()
@click.argument("number", type=whole(1), required=False)
@_PLAIN
@_LINES
def resume(number: int | None, plain: bool, lines: bool) -> None:
    """Resume a saved game. Without NUMBER, resume the one played last."""
    from digit_duel.cli.play import sitting
    from digit_duel.cli.records.find_games import game_to_resume

    game = game_to_resume(number)
    if _full_screen(plain, lines):
        from digit_duel.cli.app import run as app

        app.resume(game)
        return
    sitting.resume(_terminal(plain), game.variant, game.record, game.save)


@main.command(name="games")
@click.option("--delete", type=whole(1), metavar="NUMBER", help="Delete one game permanently.")
@click.option("--yes", is_flag=True, help="Delete it without a question.")
def games_command(delete: int | None, yes: bool) -> None:
    """List saved and finished games, the one played last first."""
    from digit_duel.cli.play.prompt import confirm
    from digit_duel.cli.records import find_games

    terminal = _terminal(plain=False)
    if delete is None:
        terminal.say(find_games.list_games())
        return
    save, name = find_games.game_to_delete(delete)
    if terminal.interactive and not yes and not confirm(terminal, f"Delete {name}, permanently? (yes/no): "):
        terminal.say("Nothing is deleted.")
        return
    terminal.say(find_games.delete_game(save, name))


@main.command()
@_FILE
@_GAME_OF_FILE
@_PLAIN
@_LINES
def replay(file: str, at: int, plain: bool, lines: bool) -> None:
    """Step through a record. FILE can also be a number from digit-duel games."""
    from digit_duel.cli.records import find_games, replay

    variant, record = find_games.open_record(file, at)
    if _full_screen(plain, lines) and record.moves:
        from digit_duel.cli.app import run as app

        app.replay(variant, record)
    else:
        replay.replay(_terminal(plain), variant, record)


@main.command()
@_FILE
@_GAME_OF_FILE
@click.option("--seat", type=click.Choice(["first", "second"]), help="Only this seat's moves.")
@click.option("--again", metavar="N", help="Save the game as it stood before move N, such as 2a.")
@_ERRS
@JSON
@_PLAIN
def review(
    file: str, at: int, seat: str | None, again: str | None, errs: float, as_json: bool, plain: bool
) -> None:
    """Explain the moves of a record. FILE can also be a number from digit-duel games."""
    from digit_duel.cli import review
    from digit_duel.cli.records import find_games

    variant, record = find_games.open_record(file, at)
    if again is not None:
        review.try_again(_terminal(plain), variant, record, again, find_games.record_file_of(file))
    else:
        review.show(_terminal(plain), variant, record, seat, errs, as_json, pictures=not plain)


@main.command()
@_FILE
@_GAME_OF_FILE
@click.option("--seat", type=click.Choice(["first", "second"]), help="Only what this seat saw.")
def export(file: str, at: int, seat: str | None) -> None:
    """Print a record. FILE can also be a number from digit-duel games."""
    from digit_duel.cli.records import find_games

    say(find_games.export_record(file, at, seat).removesuffix("\n"))


@main.command()
@click.argument("file", metavar="RECORD", shell_complete=complete_files)
@_GAME_OF_FILE
@click.option("--seal", metavar="HEX", help="The seal that the server showed you before the game.")
def verify(file: str, at: int, seal: str | None) -> None:
    """Check from the RECORD of a game that the server dealt fairly."""
    from digit_duel.cli import verify

    say(verify.verify_record(file, at, seal))


@main.command()
@GAME
@SET
@EDITION
@JSON
def solve(game: AnyVariant, settings: tuple[str, ...], edition: str | None, as_json: bool) -> None:
    """Solve GAME: who wins, and with which first moves."""
    from digit_duel.cli import solve
    from digit_duel.cli.play.plan import customised

    say(solve.solve(customised(game, settings, edition=edition), as_json))


@main.command()
@GAME
@click.argument("moves", shell_complete=complete_files)
@click.option("--at", type=whole(0), metavar="N", help="The position after the first N moves.")
@click.option("--seat", type=click.Choice(["first", "second"]), help="From what this seat knows.")
@_ERRS
@SET
@EDITION
@JSON
def analyze(
    game: AnyVariant,
    moves: str,
    at: int | None,
    seat: str | None,
    errs: float,
    settings: tuple[str, ...],
    edition: str | None,
    as_json: bool,
) -> None:
    """Evaluate a position and its moves. MOVES are in notation, or the name of a record file."""
    from digit_duel.cli import analyze
    from digit_duel.cli.play.plan import customised

    variant = customised(game, settings, edition=edition)
    say(analyze.analyze(variant, moves, at, seat, errs, as_json))


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script with which Tab completes commands in SHELL."""
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None  # click knows these three
    say(complete(main, {}, "digit-duel", "_DIGIT_DUEL_COMPLETE").source())


for command in (lab, research, serve, backup, restore, check, rotate_key):
    main.add_command(command)
