"""Agents that were trained on observations become tables: the conventions are kept, the rest is theirs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from digit_duel import solve
from digit_duel.adapters.agents import tabulated
from digit_duel.core.options import BadOption
from digit_duel.games import variant
from digit_duel.solve import BadPolicy, TooBig

CARDS = next(rung for rung in solve.ladder() if rung.name == "cards-1").variant
BATTLE = next(rung for rung in solve.ladder() if rung.name == "battle-3").variant


def test_an_agent_that_keeps_high_cards_and_gives_low_ones_is_perfect_with_one_card_each() -> None:
    def agent(observations: Any, masks: Any) -> Any:
        # Of three cards, 0 to 2, the first player draws one; the number of its flag is its digit.
        assert (observations.shape, masks.tolist()) == ((3, observations.shape[1]), [[True, True]] * 3)
        drawn = [names.index("card drawn: 0")]
        keeps = observations[:, drawn[0]] == 0
        return np.stack([keeps, ~keeps], axis=1)

    from digit_duel.adapters.interface.encoding import encoding

    names = encoding(CARDS.game, one_hot=True).columns
    table = tabulated(CARDS, agent, layout="highest", forced="skip", encoding="one_hot")
    row = solve.evaluate(table)
    # Keeping a 2 or a 1 wins 1 and 1/2 of the rounds, giving a 0 wins all: 5/6 in all, a score of 2/3.
    assert row.plays == pytest.approx(2 / 3)
    assert row.nash_conv == pytest.approx(0)


def test_uniform_agents_are_the_uniform_policy_where_everything_is_asked() -> None:
    for given in (CARDS, BATTLE):
        table = tabulated(given, lambda observations, masks: masks)
        wanted = solve.tabulate(given, solve.uniform)
        assert table.rows.keys() == wanted.rows.keys()
        for key, row in wanted.rows.items():
            assert table.rows[key] == pytest.approx([float(chance) for chance in row])


def test_illegal_actions_count_as_never_played() -> None:
    table = tabulated(BATTLE, lambda observations, masks: np.ones(masks.shape))
    assert table.rows == tabulated(BATTLE, lambda observations, masks: masks).rows


def test_what_cannot_be_a_policy_is_refused() -> None:
    with pytest.raises(BadPolicy, match="the agent plays no legal move"):
        tabulated(CARDS, lambda observations, masks: np.zeros(masks.shape))
    with pytest.raises(BadOption, match="layout is only for games in which a hand is laid out"):
        tabulated(BATTLE, lambda observations, masks: masks, layout="highest")
    with pytest.raises(TooBig, match="more than 100 moves"):
        tabulated(variant("classic"), lambda observations, masks: masks, limit=100)
    with pytest.raises(TooBig, match="more states than the limit"):
        tabulated(BATTLE, lambda observations, masks: masks, limit=100)
    with pytest.raises(BadPolicy, match=r"an array of shape \(2,\), not \(3, 2\)"):
        tabulated(CARDS, lambda observations, masks: masks[0], layout="highest", forced="skip")
    with pytest.raises(TypeError, match="takes a variant, not its game"):
        tabulated(CARDS.game, lambda observations, masks: masks)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(TooBig, match="far more than 2,000,000 moves"):
        tabulated(variant("cards"), lambda observations, masks: masks)
