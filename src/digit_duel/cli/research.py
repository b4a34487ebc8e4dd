"""digit-duel research: measure policies, and export the solutions of the size ladder."""

from __future__ import annotations

import itertools
from pathlib import Path

import click

from digit_duel.cli.parameters import complete_files, whole
from digit_duel.cli.say import say


@click.group()
def research() -> None:
    """Measure policies and export solutions; see docs/research."""


@research.command(short_help="Compute how exploitable the policy in the file POLICY is.")
@click.argument("policy", shell_complete=complete_files)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(policy: str, as_json: bool) -> None:
    """Compute exactly how exploitable the policy in the file POLICY is: its row in the table of baselines."""
    from digit_duel.cli.policy_rows import evaluated

    say(evaluated(policy, as_json))


@research.command(short_help="Write the solutions of the size ladder to FOLDER.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--rung", "names", multiple=True, metavar="NAME", help="Only this rung of the ladder, such as cards-3."
)
@click.option(
    "--most",
    type=whole(1, 1_000_000_000),
    default=200_000,
    show_default=True,
    metavar="N",
    help="Most decisions per rung; of a larger rung, only those of its first plies.",
)
@click.option("--url", default="", metavar="URL", help="Where you publish the dataset.")
def export(folder: Path, names: tuple[str, ...], most: int, url: str) -> None:
    """Write the solutions of the size ladder to FOLDER: Parquet files with a Croissant description.

    Run it again to resume.
    """
    from digit_duel.cli.errors import Problem
    from digit_duel.core.journal import BadJournal
    from digit_duel.solve.research.dataset import PyarrowMissing, Row, UsedFolder, export_solutions
    from digit_duel.solve.research.size_ladder import ladder

    known = {rung.name: rung for rung in ladder()}
    if unknown := [name for name in names if name not in known]:
        raise Problem(f"there is no rung {unknown[0]!r}. The rungs are: {', '.join(known)}.")

    chosen = [rung for name, rung in known.items() if not names or name in names]
    count = itertools.count(1)

    def told(row: Row) -> None:
        which = "" if row["complete"] else " of the first plies"
        say(f"{row['rung']}: {row['decisions']:,} decisions{which} ({next(count)} of {len(chosen)})")

    try:
        written = export_solutions(folder, chosen, most, url, told)
    except (BadJournal, PyarrowMissing, UsedFolder) as why:
        raise Problem(str(why)) from why
    except OSError as wrong:
        raise Problem(f"{folder} cannot be written: {wrong.strerror}.") from wrong
    except KeyboardInterrupt:
        click.echo("\nStopped. Run the same command again to resume.", err=True)
        raise
    say(f"Wrote {len(written)} files to {folder}.")
