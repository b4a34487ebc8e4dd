"""A study as a self-contained HTML page: the answer first, then what to change, then why."""

from __future__ import annotations

from html import escape
from itertools import pairwise

from digit_duel.lab.equals.level_moves import LEVELS
from digit_duel.lab.report.advice import advice, is_advised
from digit_duel.lab.report.plain_text import source, title
from digit_duel.lab.report.repair import Comparison, Repair
from digit_duel.lab.report.rivals import rivals
from digit_duel.lab.report.words import (
    FAIR,
    headline,
    is_decided,
    is_unfair,
    is_unsure,
    never_errs,
    points,
    share,
)
from digit_duel.lab.study import LEVEL, Study

_THIN = 0.2  # a share for whose bar the usual padding is too wide, and on a phone a label
_SHORT = 0.45  # a share for whose bar, on a phone, the player's name is too long
_PLAYERS = {
    "random": "plays any legal move",
    "sensible": "follows the tips of the rulebook",
    "careful": "sometimes looks ahead",
    "sharp": "makes few mistakes",
    "perfect": "makes none",
}

# Bars are HTML boxes, not images: their text stays readable on a phone, and they follow the colour scheme.
STYLE = """
:root { color-scheme: light dark; --ink: #1f2937; --quiet: #596273; --paper: #fff; --box: #f3f4f6;
  --line: #d1d5db; --first: #1d4ed8; --second: #c2410c; --skill: #15803d; --rest: #d1d5db }
@media (prefers-color-scheme: dark) { :root { --ink: #e5e7eb; --quiet: #a3acba; --paper: #14181f;
  --box: #1f2630; --line: #3b4554; --rest: #3b4554 } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.quiet { color: var(--quiet); font-size: .9rem; margin: .2rem 0 .8rem }
.verdict, .change { border-left: .5rem solid; padding: .8rem 1rem; background: var(--box);
  border-radius: .3rem; margin: 1rem 0 }
.verdict strong { display: block; font-size: 1.35rem; line-height: 1.3; margin-bottom: .6rem }
.verdict p, .change p { margin: .4rem 0 0 } .change { border-color: var(--first) } .change h2 { margin: 0 }
.good { border-color: #15803d } .so-so { border-color: #ca8a04 } .bad { border-color: #dc2626 }
dl { display: grid; grid-template-columns: 11rem 1fr; gap: .4rem 1rem; margin: .5rem 0 }
dt { font-weight: 600 } dd { margin: 0 }
code { overflow-wrap: anywhere; font-size: .9rem } code span { display: inline-block }
.row { display: grid; grid-template-columns: 13rem 1fr; gap: 0 .8rem; align-items: center; margin: .4rem 0 }
.bar { display: flex; height: 1.7rem; border-radius: .3rem; overflow: hidden; position: relative;
  color: #fff; font-size: .9rem; line-height: 1.7rem; font-variant-numeric: tabular-nums }
.bar span { padding: 0 .6rem; box-sizing: border-box; white-space: nowrap; overflow: hidden }
.bar .second { text-align: right } .bar .thin { padding: 0 .15rem } .bar span:empty { padding: 0 }
.bar b { font-weight: inherit }
.bar::after { content: ""; position: absolute; left: 50%; top: 0; bottom: 0;
  border-left: 2px dashed var(--paper) }
.large { height: 2.4rem; line-height: 2.4rem; font-size: 1rem; font-weight: 600 }
.first { background: var(--first) } .second { background: var(--second) } .skill { background: var(--skill) }
.rest { background: var(--rest) }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem }
table { border-collapse: collapse } .wide { overflow-x: auto; margin: .5rem 0 }
.wide svg { background: #fff; border-radius: .3rem; max-width: 100%; min-width: 34rem; height: auto }
td, th { padding: .15rem 1.2rem .15rem 0; text-align: left; vertical-align: top }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.gain, .cost { font-weight: 600 } .gain::before { content: "+ " } .cost::before { content: "- " }
@media (max-width: 34rem) { dl, .row { grid-template-columns: 1fr; gap: .1rem } dd { margin-bottom: .6rem }
  .large { font-size: .9rem } .bar span { padding: 0 .25rem } .bar .thin { font-size: 0 }
  .bar .short b { display: none }
  .compared tr { display: grid; grid-template-columns: 5rem 5.5rem 1fr; gap: 0 .5rem; margin-bottom: .5rem }
  .compared td, .compared th { padding: 0; margin: 0; text-align: left }
  .compared td:first-child { grid-column: 1 / -1 } .compared th:first-child { display: none } }
"""


def html(study: Study, repair: Repair | None = None) -> str:
    """The study as one HTML page, including its charts."""
    told, commands = advice(study, repair)
    listed = "".join(f"<dt>{escape(label)}</dt><dd>{code(line)}</dd>" for label, line in commands)
    reasons = "".join(f"<dt>{escape(name)}</dt><dd>{escape(said)}</dd>" for name, said in points(study))
    others = "".join(
        f"<p><b>Another way:</b> {escape(rival.sentence)} {code(rival.command)}</p>"
        for rival in rivals(study, repair)
    )
    players = _PLAYERS if never_errs(study) else _PLAYERS | {"perfect": "is the strongest computer"}
    levels = "; ".join(f"<b>{level}</b> {does}" for level, does in players.items())
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Is {escape(title(study))} fair?</title><style>{STYLE}</style></head>
<body>
<h1>Is {escape(study.variant.id)} fair?</h1>
<p class="quiet">{escape(_rules(study))}</p>
<div class="verdict {_colour(study)}"><strong>{escape(headline(study))}</strong>
{_answer(study)}
<p class="quiet">Each player's share of the points: a win is one point, a draw half of one; the dashed line
is a half each. A {LEVEL} player is the program's model of people who sometimes look ahead.</p>
</div>
<div class="change"><h2>What to change</h2>
<p>{escape(told)}</p>
{_compared(repair) if is_advised(repair) else ""}
<dl>{listed}</dl>
{others}</div>
<h2>Why</h2>
<dl>{reasons}</dl>
<h2>Who gets the points when both are equally good?</h2>
<p class="quiet"><span class="key first"></span> first player <span class="key second"></span> second player;
the dashed line is a half each.</p>
{"".join(_row(f"both {level}", _shares(share(study, level))) for level in reversed(LEVELS))}
<h2>Does the better player win?</h2>
<p class="quiet">Points of a level against the level below it; each plays both seats.
At the dashed line it is no better.</p>
{"".join(_row(f"{strong} against {weak}", _edge(study.edge(weak, strong))) for weak, strong in _steps())}
<p class="quiet">How well people play is one of five levels: {levels}.</p>
<p class="quiet">{escape(source(study))}</p>
</body>
</html>
"""


def _answer(study: Study) -> str:
    """The shares of the points between people, and with best play."""
    bars = [_row(f"between {LEVEL} players", _shares(study.balance(), " large", ("first", "second")))]
    if study.best is not None:
        bars.append(_row("with best play", _shares(float(study.best.points), " large", ("first", "second"))))
    return "".join(bars)


def _compared(repair: Repair) -> str:
    """What an edition gains and costs, and the figures side by side."""
    told = "".join(f"<dt>{escape(heading)}</dt><dd>{escape(said)}</dd>" for heading, said in repair.told)
    rows = "".join(map(_before_and_after, repair.rows))
    return f"""<dl>{told}</dl>
<div class="wide"><table class="compared"><tr><th></th><th class="number">now</th>
<th class="number">with '{escape(repair.edition.name)}'</th><th></th></tr>{rows}</table></div>"""


def _before_and_after(row: Comparison) -> str:
    kind = {True: "gain", False: "cost", None: "quiet"}[row.is_gain]
    return (
        f'<tr><td>{escape(row.name)}</td><td class="number">{row.now}</td><td class="number">{row.then}</td>'
        f'<td class="{kind}">{row.word}</td></tr>'
    )


def code(line: str) -> str:
    """A command, in which an option and its value stay on one line where there is room."""
    start, *options = escape(line).split(" --")
    return f"<code>{start}{''.join(f' <span>--{option}</span>' for option in options)}</code>"


def _steps() -> list[tuple[str, str]]:
    return list(pairwise(LEVELS))[::-1]


def _colour(study: Study) -> str:
    if is_unsure(study):
        return "so-so"
    if is_unfair(study):
        return "bad"
    return "so-so" if abs(study.balance() - 0.5) > FAIR or is_decided(study) else "good"


def _row(label: str, bar: str) -> str:
    return f'<div class="row"><div>{escape(label)}</div>{bar}</div>\n'


def _shares(share: float, size: str = "", names: tuple[str, str] = ("", "")) -> str:
    """A bar with both players' shares of the points."""
    said = f"first player {share:.0%}, second player {1 - share:.0%}"
    parts = [("first", share, names[0]), ("second", 1 - share, names[1])]
    boxes = "".join(
        f'<span class="{kind}{_size(part)}" style="width: {part:.2%}">{_label(part, name)}</span>'
        for kind, part, name in parts
    )
    return f'<div class="bar{size}" role="img" aria-label="{said}">{boxes}</div>'


def _size(share: float) -> str:
    return " thin" if share < _THIN else " short" if share < _SHORT else ""


def _edge(share: float) -> str:
    """A bar with the stronger player's share of the points."""
    box = f'<span class="skill" style="width: {share:.2%}">{share:.0%}</span>'
    rest = f'<span class="rest" style="width: {1 - share:.2%}"></span>'
    return f'<div class="bar" role="img" aria-label="{share:.0%} of the points">{box}{rest}</div>'


def _label(share: float, name: str) -> str:
    """The label that fits into a part of a bar."""
    if share < 0.075:
        return ""
    return f"{f'<b>{name}</b> ' if name and share > 0.3 else ''}{share:.0%}"


def _rules(study: Study) -> str:
    settings = study.variant.settings
    if not settings:
        return f"{study.variant.summary} The rules are those of the rulebook."
    changed = " ".join(f"{change.removesuffix('.')}." for change in study.variant.changes)
    return f"{study.variant.summary} Changed rules: {changed}"
