"""digit-duel lab: is a rule set fair, and which change of the rules repairs it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from digit_duel.cli.parameters import EDITION, GAME, JSON, SET, output_file, whole

if TYPE_CHECKING:
    from digit_duel.core.variant import AnyVariant

_GAMES = click.option(
    "--games",
    type=whole(1, 1_000_000),
    metavar="N",
    help="Games (in cards, rounds) to play for each pair of levels, if a rule set is too large to compute "
    "exactly. Default: as many as fit into about ten seconds.",
)


@click.group()
def lab() -> None:
    """For designers: is a rule set fair, and what repairs it?"""


@lab.command(short_help="Say whether GAME is fair.")
@GAME
@SET
@EDITION
@_GAMES
@click.option(
    "--html",
    "page",
    type=output_file,
    metavar="FILE",
    help="Write an HTML page.",
)
@JSON
def report(
    game: AnyVariant,
    settings: tuple[str, ...],
    edition: str | None,
    games: int | None,
    page: Path | None,
    as_json: bool,
) -> None:
    """Say whether GAME is fair, with best play and between players of equal strength."""
    import json

    from digit_duel.cli.play.plan import customised
    from digit_duel.cli.screen.progress_line import ProgressLine
    from digit_duel.core.files import write_whole
    from digit_duel.lab.report import plain_text
    from digit_duel.lab.report.html_page import html
    from digit_duel.lab.report.repair import repair
    from digit_duel.lab.study import study

    variant = customised(game, settings, edition=edition)
    with ProgressLine() as progress:
        found = study(variant, games, progress)
        repaired = repair(found, games, progress)
    if page is not None:
        write_whole(page, html(found, repaired).encode(), shared=True)
        click.echo(f"Wrote {click.format_filename(page)}.", err=True)
    click.echo(
        json.dumps(plain_text.as_json(found, repaired)) if as_json else plain_text.text(found, repaired)
    )


@lab.command(short_help="Find the fairest changes of GAME; run it again to resume.")
@GAME
@SET
@EDITION
@_GAMES
@click.option(
    "--most", type=whole(1, 100), default=8, show_default=True, metavar="N", help="Rule sets to list."
)
@JSON
def fair(
    game: AnyVariant,
    settings: tuple[str, ...],
    edition: str | None,
    games: int | None,
    most: int,
    as_json: bool,
) -> None:
    """Find the fairest changes of one or two rules of GAME; run it again to resume."""
    import json

    from digit_duel.cli.errors import Problem
    from digit_duel.cli.play.plan import customised
    from digit_duel.cli.screen.progress_line import ProgressLine
    from digit_duel.core.journal import BadJournal
    from digit_duel.lab import fair_text
    from digit_duel.lab.fair import fairest

    try:
        with ProgressLine() as progress:
            found = fairest(customised(game, settings, edition=edition), most, games, progress)
    except BadJournal as why:
        raise Problem(str(why)) from why
    except KeyboardInterrupt:
        click.echo("\nStopped. Run the same command again to resume.", err=True)
        raise
    click.echo(json.dumps(fair_text.as_json(found)) if as_json else fair_text.text(found))


@lab.command()
@GAME
@click.option(
    "--over",
    multiple=True,
    required=True,
    metavar="OPTION=VALUES",
    help="Values such as 0..20 or a,b,c; separate them by ; if they contain commas.",
)
@SET
@click.option("--equals", is_flag=True, help="Also study games between players of equal strength (slower).")
@_GAMES
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("sweep"),
    show_default=True,
    metavar="NAME",
    help="The name of the files, without an extension.",
)
@click.option(
    "--processes", type=whole(1, 1024), metavar="N", help="Worker processes; default: one per processor."
)
@click.option("--cluster", metavar="ADDRESS", help="Run on a Dask cluster, such as tcp://10.0.0.1:8786.")
def sweep(
    game: AnyVariant,
    over: tuple[str, ...],
    settings: tuple[str, ...],
    equals: bool,
    games: int | None,
    out: Path,
    processes: int | None,
    cluster: str | None,
) -> None:
    """Study a grid of rule sets of GAME; run it again to resume."""
    import os

    from digit_duel.cli.errors import Problem
    from digit_duel.cli.play.plan import read_settings
    from digit_duel.cli.screen.progress_line import ProgressLine
    from digit_duel.core.journal import BadJournal
    from digit_duel.core.options import BadOption
    from digit_duel.lab.sweeps.sweep import MOST_RULE_SETS, Plan, read_fixed, read_values, run
    from digit_duel.lab.sweeps.sweep_files import LibraryMissing, check_libraries, write_files
    from digit_duel.lab.sweeps.workers import Cluster, NoWorkers, Processes

    grid = tuple(read_values(game, text) for text in over)
    if len({name for name, _ in grid}) < len(grid):
        raise BadOption("--over names an option twice.")
    wanted = read_settings(settings)
    for name, _ in grid:
        if name in wanted:
            raise BadOption(f"--over and --set both give values of {name}; give them with one of the two.")
    plan = Plan(game.id, read_fixed(game, wanted), grid, equals, games)
    if len(plan) > MOST_RULE_SETS:
        raise BadOption(f"a sweep has at most {MOST_RULE_SETS:,} rule sets; this one has {len(plan):,}.")
    workers = Cluster(cluster) if cluster else Processes(processes or os.cpu_count() or 1)
    journal = out.with_name(out.name + ".journal")
    try:
        check_libraries()
        with ProgressLine() as progress:
            rows = run(plan, journal, workers, progress)
        paths = write_files(plan, rows, out)
    except (BadJournal, LibraryMissing, NoWorkers) as why:
        raise Problem(str(why)) from why
    except KeyboardInterrupt:
        click.echo("\nStopped. Run the same command again to resume.", err=True)
        raise
    journal.unlink()
    unsolved = sum(row["points"] is None for row in rows)
    count = f"{len(rows):,} rule set{'' if len(rows) == 1 else 's'}"
    missing = f" ({unsolved:,} could not be solved; see the column 'reason')" if unsolved else ""
    click.echo(f"{count}{missing}: {', '.join(click.format_filename(path) for path in paths)}")
