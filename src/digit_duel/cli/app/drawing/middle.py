"""The middle of the table: the shared pool, the deck with the card just drawn, or how it ended."""

from __future__ import annotations

from digit_duel.cli.app.drawing.canvas import (
    BOLD,
    DIM,
    Canvas,
    Ink,
    balanced,
    width_of,
    with_short_names,
)
from digit_duel.cli.app.drawing.tiles import PLAYERS, Size, card_back, tile
from digit_duel.cli.app.state.choice import Offer
from digit_duel.cli.app.state.table import Phase, TableView

_DECK_ROWS = 3  # for a result: a sentence, a blank and the score


def middle_height(view: TableView, size: Size) -> int:
    """How many rows the middle needs."""
    return max(size.height, _DECK_ROWS)


def brief_goal(view: TableView) -> str:
    """What wins the round, or the game."""
    return view.scene.goal.split(";")[0]


def goal_in_middle(view: TableView) -> bool:
    """Whether the middle has nothing to show but what wins: a hand is laid out."""
    return not (view.phase in (Phase.OVER, Phase.REVEAL) or view.scene.pool or view.scene.drawn)


def draw_middle(view: TableView, canvas: Canvas, y: int, height: int, size: Size, width: int) -> None:
    """Draw what both players share."""
    if view.phase in (Phase.OVER, Phase.REVEAL):
        _result(view, canvas, y, height, width, size)
    elif view.scene.pool:
        _pool(view, canvas, y, size, width)
    elif view.scene.drawn is not None:
        _deck(view, canvas, y, size, width)
    else:
        canvas.centred(y + height // 2, brief_goal(view), Ink(), 0, width)


def _pool(view: TableView, canvas: Canvas, y: int, size: Size, width: int) -> None:
    """The digits that are left; used ones leave a gap."""
    stocks = view.scene.pool
    gap = 1 if len(stocks) * (size.width + 1) <= width else 0
    x = (width - len(stocks) * (size.width + gap) + gap) // 2
    offers = {offer.digit: offer for offer in view.offers if offer.digit is not None and offer.row is None}
    chosen = {offer.digit for offer in view.picked if offer.row is None}
    for stock in stocks:
        offer = offers.get(stock.digit)
        if stock.left:
            focus = offer is not None and canvas.focus == offer.action
            picked = stock.digit in chosen and not view.masked
            copies = stock.left if stock.most > 1 else 0
            sign = view.signs.get(Offer("", digit=stock.digit).action)
            tile(canvas, x, y, size, stock.digit, focus=focus, chosen=picked, copies=copies, sign=sign)
            if offer is not None:
                canvas.target(offer.action, x, y, size.width, size.height)
        else:
            canvas.put(x + size.width // 2, y + size.height // 2, "·", DIM)
        x += size.width + gap


def _deck(view: TableView, canvas: Canvas, y: int, size: Size, width: int) -> None:
    """The deck and the card just drawn; facts about the deck on the left, what wins on the right."""
    drawn = view.scene.drawn
    assert drawn is not None
    x = (width - 2 * size.width - 3) // 2
    room = x - 3
    long = [fact for fact in view.scene.facts if width_of(fact) > room]
    short = [fact for fact in (view.scene.heading, *view.scene.facts) if fact and fact not in long]
    for at, text in enumerate(short[: size.height]):
        canvas.put(x - 2 - width_of(text), y + (size.height - len(short)) // 2 + at, text, DIM)
    told = " ".join(long) or brief_goal(view)
    lines = balanced(told[:1].upper() + told[1:], room)[: size.height]
    for at, text in enumerate(lines):
        canvas.put(x + 2 * size.width + 5, y + (size.height - len(lines)) // 2 + at, text, Ink())
    card_back(canvas, x, y, size)
    if drawn.digit is None:
        card_back(canvas, x + size.width + 3, y, size)
    else:
        tile(canvas, x + size.width + 3, y, size, drawn.digit, chosen=True)


def _result(view: TableView, canvas: Canvas, y: int, height: int, width: int, size: Size) -> None:
    """How a round or the game ended."""
    if view.numbers is not None:
        _two_numbers(view, canvas, y, width, size)
        return
    ink = BOLD if view.winner is None else Ink(PLAYERS[view.winner], bold=True)
    over = view.phase is Phase.OVER
    lines = balanced(view.message if over else _round_result(view), width - 2)
    told = with_short_names(f"Games won: {view.score}", view.names, width - 2)
    score = [told] if over and view.score and len(lines) < _DECK_ROWS else []
    line = y + max(0, height - len(lines) - len(score)) // 2
    for at, text in enumerate(lines):
        canvas.centred(line + at, text, ink, 0, width)
    for text in score:
        canvas.centred(line + len(lines), text, DIM, 0, width)


def _round_result(view: TableView) -> str:
    """How a round ended, and who won it, unless the news say so."""
    if view.winner is None:
        return view.news
    won = f"{view.names[view.winner]} wins the round"
    return view.news if won in view.news else f"★ {won} ★\n{view.news}"


def _two_numbers(view: TableView, canvas: Canvas, y: int, width: int, size: Size) -> None:
    """Two revealed secrets side by side."""
    assert view.numbers is not None
    x = width // 2 - size.width - 2
    for seat in (view.below.other, view.below):
        text = view.numbers[seat]
        if len(text) == 1 and text.isdigit():
            mark = seat if seat is view.winner else None
            tile(canvas, x, y, size, int(text), mark=mark)
        else:
            canvas.put(x, y + 1, text, Ink(PLAYERS[seat], bold=True))
        x += size.width + 3
