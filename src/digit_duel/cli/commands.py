"""The commands of digit-duel: each reads its options and hands over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from digit_duel import __version__

_LARGEST = 2**63  # of the numbers that nobody needs a bound for
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class GameId(click.ParamType[Any]):
    """The id of a game, in any case; a beginning that fits only one will do."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from digit_duel import games

        typed = str(value).lower()
        fitting = [id for id in games.ids() if typed and id.startswith(typed)]
        if typed in fitting:
            fitting = [typed]
        if len(fitting) > 1:
            self.fail(f"'{typed}' could be {' or '.join(fitting)}.", param, ctx)
        if not fitting:
            self.fail(
                f"there is no game '{str(value)[:20]}'. The games are: {', '.join(games.ids())}.", param, ctx
            )
        return games.variant(fitting[0])


class Whole(click.ParamType[int]):
    """A whole number within bounds, in the digits 0-9 and nothing else (A4)."""

    name = "number"

    def __init__(self, low: int, high: int = _LARGEST) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):  # a default
            return value
        plain = value.isascii() and value.isdigit() and len(value) <= 19
        if not (plain and self.low <= int(value) <= self.high):
            bounds = f", {self.low} or more" if self.high == _LARGEST else f" from {self.low} to {self.high}"
            self.fail(f"this must be a whole number{bounds}.", param, ctx)
        return int(value)


class RecordFile(click.Path):
    """A file to add records to, in any folder; what is wrong with it is said before the game, not after."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            path = path.absolute()
        except OSError as error:  # the folder we are in is gone
            self.fail(f"this folder cannot be used: {error.strerror}.", param, ctx)
        if not os.path.isdir(path.parent):
            self.fail(f"there is no folder {click.format_filename(path.parent)}.", param, ctx)
        return path


def run() -> int:
    """Run the command line, and turn whatever goes wrong into a sentence and an exit code."""
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
        if ended.code == 1:  # click's own way with a reader who left; signals end with 128 and more
            raise BrokenPipeError from None
        raise
    except EOFError:
        click.echo("\ndigit-duel: the input has ended.", err=True)
        return 3
    except Exception as ending:
        return _ended(ending)
    return 0


def _say(text: str) -> None:
    """Print, in whatever encoding there is."""
    from digit_duel.cli.screen.terminal import standard

    standard(plain=True).say(text)


def _ended(ending: Exception) -> int:
    """The exit code of a game that was left or could not begin; imported only now, for --version is quick."""
    from digit_duel.cli.errors import Leave, Problem
    from digit_duel.core.names import BadName
    from digit_duel.core.options import BadOption

    match ending:
        case Leave():
            return ending.code
        case BadOption() | BadName():
            code = 2
        case Problem():
            code = 1
        case _:
            raise ending
    click.echo(f"digit-duel: {ending}", err=True)
    return code


@click.group(invoke_without_command=True, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="digit-duel", message="%(prog)s %(version)s")
@click.option("--plain", is_flag=True, help="Sentences only: no pictures, no colour.")
@click.pass_context
def main(ctx: click.Context, plain: bool) -> None:
    """Five two-player digit games. Without a command: a guided start."""
    if ctx.invoked_subcommand is not None:
        return
    from digit_duel.cli.screen.terminal import standard

    terminal = standard(plain)
    if not terminal.typed:
        click.echo(ctx.get_help())
        return
    from digit_duel.cli.play.guide import guided

    guided(terminal)


@main.command()
@click.argument("game", type=GameId())
@click.option("--vs", type=click.Choice(["person", "computer"]), default="person", help="Who sits opposite.")
@click.option("--level", metavar="NAME", help="random, sensible, careful, sharp or perfect.")
@click.option("--first", type=click.Choice(["1", "2", "coin"]), default="1", help="Which player goes first.")
@click.option("--names", nargs=2, metavar="A B", help="The players' names.")
@click.option(
    "--match", "best_of", type=Whole(1, 100_000), metavar="N", help="Play a match, best of N games."
)
@click.option("--first-to", type=Whole(1, 100_000), metavar="N", help="Play a match, first to N wins.")
@click.option("--seed", type=Whole(0), help="The same chance every time, for tests and lessons.")
@click.option("--draws", metavar="DIGITS", help="The first cards to be drawn, such as 729518, for lessons.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Change a rule; see digit-duel rules GAME.",
)
@click.option("--open", "open_table", is_flag=True, help="Play with open hands.")
@click.option("--plain", is_flag=True, help="Sentences only: no pictures, no colour.")
@click.option("--record", type=RecordFile(), metavar="FILE", help="Add the record of each game to a file.")
@click.option("--server", metavar="URL", help="Play at a server: against its computer, or as you say below.")
@click.option("--invite", is_flag=True, help="At a server: against a friend, who gets a link.")
@click.option("--join", metavar="LINK", help="Go where a link leads: to an invitation, or back to a game.")
@click.option("--name", metavar="A", help="Your name at a server.")
def play(
    game: Any,
    settings: tuple[str, ...],
    open_table: bool,
    plain: bool,
    server: str | None,
    invite: bool,
    join: str | None,
    name: str | None,
    **choices: Any,
) -> None:
    """Play GAME, by default two people at this keyboard."""
    from digit_duel.cli.play import plan as planning
    from digit_duel.cli.play import sitting
    from digit_duel.cli.screen.terminal import standard

    variant = planning.customised(game, settings, open_table)
    if server is not None or join is not None:
        from digit_duel.cli.online import play as online
        from digit_duel.cli.online.plan import wish

        online.play(standard(plain), wish(variant, server, join, invite, name, **choices))
        return
    if invite or name is not None:
        raise click.UsageError("--invite and --name are for games at a server; add --server URL.")
    plan, coin = planning.plan(variant, **choices)
    terminal = standard(plain)
    if coin:
        from digit_duel.cli.play.messages import goes_first

        terminal.say(goes_first(plan.names) + "\n")
    sitting.play(terminal, plan)


@main.command()
@click.argument("number", type=Whole(1), required=False)
@click.option("--plain", is_flag=True, help="Sentences only: no pictures, no colour.")
def resume(number: int | None, plain: bool) -> None:
    """Go on with a saved game. It is the latest, or NUMBER of digit-duel games."""
    from digit_duel.cli.play import sitting
    from digit_duel.cli.records import saved_games
    from digit_duel.cli.screen.terminal import standard

    book = saved_games.to_resume(number)
    sitting.resume(standard(plain), book.variant, book.record, book.save)


@main.command(name="games")
@click.option("--delete", type=Whole(1), metavar="NUMBER", help="Delete one game for good.")
def list_games(delete: int | None) -> None:
    """List saved and finished games, results, and whose turn it is."""
    from digit_duel.cli.records import saved_games

    _say(saved_games.deleted(delete) if delete else saved_games.listing())


@main.command()
@click.argument("file")
@click.option("--game", "at", type=Whole(1), default=1, help="Which game of the file.")
@click.option("--plain", is_flag=True, help="Sentences only: no pictures, no colour.")
def replay(file: str, at: int, plain: bool) -> None:
    """Step through a record, forward and back. FILE can be a number of digit-duel games."""
    from digit_duel.cli.records import replay, saved_games
    from digit_duel.cli.screen.terminal import standard

    replay.replay(standard(plain), *saved_games.open_record(file, at))


@main.command()
@click.argument("file")
@click.option("--game", "at", type=Whole(1), default=1, help="Which game of the file.")
@click.option("--seat", type=click.Choice(["first", "second"]), help="Only what this seat saw.")
def export(file: str, at: int, seat: str | None) -> None:
    """Print a record, whole or as one seat saw it. FILE can be a number of digit-duel games."""
    from digit_duel.cli.records import saved_games

    _say(saved_games.exported(file, at, seat).removesuffix("\n"))


@main.command()
@click.argument("file")
@click.option("--game", "at", type=Whole(1), default=1, help="Which game of the file.")
@click.option("--seat", type=click.Choice(["first", "second"]), help="Only this seat's moves.")
@click.option("--again", type=Whole(1), metavar="N", help="Save a game that goes on before move N.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--plain", is_flag=True, help="Sentences only: no pictures, no colour.")
def review(file: str, at: int, seat: str | None, again: int | None, as_json: bool, plain: bool) -> None:
    """What each move of a record cost, and where it turned. FILE can be a number of digit-duel games."""
    from digit_duel.cli import review as looking_back
    from digit_duel.cli.records import saved_games
    from digit_duel.cli.screen.terminal import standard

    variant, record = saved_games.open_record(file, at)
    if again is not None:
        looking_back.try_again(standard(plain), variant, record, again, saved_games.record_asked(file))
    else:
        looking_back.show(standard(plain), variant, record, seat, as_json, pictures=not plain)


@main.command()
@click.argument("file", metavar="RECORD")
@click.option("--game", "at", type=Whole(1), default=1, help="Which game of the file.")
@click.option("--seal", metavar="HEX", help="The seal that you were shown before the game.")
def verify(file: str, at: int, seal: str | None) -> None:
    """Check that a game from a server was dealt as it was sealed. RECORD is a file."""
    from digit_duel.cli import verify

    _say(verify.verified(file, at, seal))


@main.command()
@click.argument("game", type=GameId())
def rules(game: Any) -> None:
    """Explain the rules of GAME, with an example and the options."""
    from digit_duel.cli.rules import rulebook
    from digit_duel.cli.screen.terminal import standard

    terminal = standard()
    terminal.say(rulebook(game, terminal.size[0]))


_SET = click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Change a rule.")
_JSON = click.option("--json", "as_json", is_flag=True, help="For programs.")


@main.command()
@click.argument("game", type=GameId())
@_SET
@_JSON
def solve(game: Any, settings: tuple[str, ...], as_json: bool) -> None:
    """Solve GAME from its start: who wins, and with which first moves."""
    from digit_duel.cli import solve
    from digit_duel.cli.play import plan as planning

    _say(solve.solve(planning.customised(game, settings, open_table=False), as_json))


@main.command()
@click.argument("game", type=GameId())
@click.argument("moves")
@click.option("--at", type=Whole(0), metavar="N", help="After N moves only.")
@click.option("--seat", type=click.Choice(["first", "second"]), help="From this seat's knowledge.")
@_SET
@_JSON
def analyze(
    game: Any, moves: str, at: int | None, seat: str | None, settings: tuple[str, ...], as_json: bool
) -> None:
    """What a position is worth, and every move in it. MOVES are in notation, or the name of a record file."""
    from digit_duel.cli import analyze
    from digit_duel.cli.play import plan as planning

    variant = planning.customised(game, settings, open_table=False)
    _say(analyze.analyze(variant, moves, at, seat, as_json))


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets the whole network in.")
@click.option("--port", type=Whole(0, 65535), default=8642, show_default=True, help="0 takes any free one.")
@click.option("--workers", type=Whole(1, 64), default=1, show_default=True, help="Processes that serve.")
@click.option(
    "--database", metavar="FILE|URL", help="A SQLite file, or postgresql://... for several workers."
)
@click.option("--public-url", metavar="URL", help="The address people use, behind a proxy with TLS.")
@click.option("--proxies", type=Whole(0, 9), default=0, help="How many proxies of your own stand before it.")
@click.option(
    "--set", "wanted", multiple=True, metavar="NAME=NUMBER", help="A limit, or how long to keep things."
)
def serve(**where: Any) -> None:
    """Play in the browser. The games are served on this machine, or to a network."""
    from digit_duel.cli import serve

    serve.serve(**where)
