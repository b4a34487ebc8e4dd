"""Hidden cards stay hidden at two real servers on PostgreSQL, whichever is asked: SAFETY C1, C2, C13."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.web.leaks.two_servers import Site, a_site, compare
from tests.web.postgres import Postgres
from tests.worlds import Leak


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[Site]:
    with a_site(tmp_path_factory.mktemp("servers"), postgres.create_database()) as found:
        yield found


def test_two_worlds_that_look_alike_to_a_player_cannot_be_told_apart(site: Site) -> None:
    assert compare(site, "two worlds") > 200


def test_another_card_in_sight_is_noticed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Ben may see is compared, too: with another card of his own, the worlds are told apart."""
    monkeypatch.setattr(
        "tests.web.leaks.two_servers.draws_of", lambda rng: ([1, 2, 3, 4, 5], [1, 6, 3, 4, 5])
    )
    with pytest.raises(Leak):
        compare(site, "another card")
