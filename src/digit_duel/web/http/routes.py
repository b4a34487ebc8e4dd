"""The routing table, which the server, the OpenAPI document and the tests share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from digit_duel.web.analysis.answer_types import HintAnswer, PositionAnswer, ReviewAnswer
from digit_duel.web.http.context import Answer, RequestContext
from digit_duel.web.http.endpoints import analysis, answers, catalogue, games, my_games, previews, sessions
from digit_duel.web.http.input import requests
from digit_duel.web.play.command_types import Command
from digit_duel.web.play.fair_deals.proof import Proof
from digit_duel.web.replies import Code
from digit_duel.web.views.view_types import GameView, TutorialView

I = TypeVar("I")  # noqa: E741  # an endpoint's input
A = TypeVar("A")


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Route(Generic[I, A]):
    """One endpoint: its input, from the query for GET and else from a JSON body, and its answer."""

    method: str
    path: str
    serve: Callable[[RequestContext, I], Awaitable[Answer[A]]]
    takes: type[I]
    answers: type[A]
    refusals: tuple[Code, ...] = ()
    status: tuple[int, ...] = (200,)
    options: type[requests.Query] = requests.Nothing  # query parameters besides a body
    cost: float = 1.0  # in small requests, as benchmarks/route_costs.py measures it

    @property
    def name(self) -> str:
        """The operation's name."""
        return self.serve.__name__

    @property
    def media(self) -> str:
        """The media type of the answer."""
        kinds: dict[object, str] = {str: "text/plain", bytes: "image/png"}
        return kinds.get(self.answers, "application/json")

    @property
    def has_body(self) -> bool:
        """Whether the endpoint reads a JSON body."""
        return self.method == "POST" and self.takes is not requests.Nothing


_BAD, _FORBIDDEN, _ABSENT = Code.BAD_REQUEST, Code.FORBIDDEN, Code.NOT_FOUND
_BODY = (_BAD, Code.TOO_LARGE, _FORBIDDEN)
_QUERY = (_BAD, _FORBIDDEN, _ABSENT)
_WAITING = (_FORBIDDEN, _ABSENT, Code.GAME_OVER)

ROUTES: tuple[Route[Any, Any], ...] = (
    Route("GET", "/api/catalogue", catalogue.catalogue, requests.Nothing, answers.Catalogue, (_FORBIDDEN,)),
    Route(
        "GET", "/api/tutorials/{variant}", catalogue.tutorial, requests.Nothing, TutorialView,
        (_FORBIDDEN, _ABSENT),
    ),
    Route(
        "POST", "/api/sessions", sessions.start_session, requests.StartSession, answers.SessionStarted, _BODY,
        (200, 201), cost=2,
    ),
    Route(
        "DELETE", "/api/sessions", sessions.end_session, requests.Nothing, answers.Ok, (_FORBIDDEN,),
        cost=2,
    ),
    Route(
        "POST", "/api/sessions/resume", sessions.resume_session, requests.ResumeSession,
        answers.SessionStarted, _BODY, (201,), cost=2,
    ),
    Route(
        "GET", "/api/me/sessions", sessions.list_sessions, requests.Nothing, answers.MySessions, (_FORBIDDEN,)
    ),
    Route(
        "DELETE", "/api/me/sessions", sessions.leave, requests.LeaveOptions, answers.Ok, (_FORBIDDEN, _BAD),
        cost=3,
    ),
    Route("GET", "/api/me", my_games.me, requests.Nothing, answers.Me, (_FORBIDDEN,), cost=3),
    Route(
        "GET", "/api/me/games", my_games.my_games, requests.ListPage, answers.MyGames, (_FORBIDDEN, _BAD),
        cost=3,
    ),
    Route(
        "GET", "/api/me/statistics", my_games.statistics, requests.Nothing, answers.Statistics, (_FORBIDDEN,),
        cost=3,
    ),
    Route(
        "DELETE", "/api/me/sessions/{session}", sessions.end_other_session, requests.Nothing, answers.Ok,
        (_FORBIDDEN, _ABSENT), cost=2,
    ),
    Route(
        "POST", "/api/me/codes", sessions.new_code, requests.Nothing, answers.NewCode, (_FORBIDDEN,),
        cost=2,
    ),
    Route("POST", "/api/games", games.open_game, requests.NewGame, answers.OpenedGame, _BODY, (201,), cost=6),
    Route("GET", "/api/games/{game}", games.look, requests.Look, GameView, _QUERY),
    Route(
        "POST", "/api/games/{game}/join", games.join, requests.JoinGame, answers.JoinedGame,
        (*_BODY, _ABSENT, Code.SEAT_TAKEN), cost=4,
    ),
    Route(
        "POST", "/api/games/{game}/invite", games.invite, requests.Nothing, answers.NewInvitation, _WAITING,
        cost=4,
    ),
    Route("DELETE", "/api/games/{game}/invite", games.cancel, requests.Nothing, answers.Ok, _WAITING, cost=3),
    Route(
        "POST", "/api/games/{game}/commands", games.command, cast(type[Command], Command),
        answers.CommandDone, (*_BODY, _ABSENT, Code.STALE_VERSION), options=requests.CommandOptions, cost=2,
    ),
    Route("GET", "/api/games/{game}/news", games.news, requests.Look, answers.NewsPage, _QUERY),
    Route("GET", "/api/games/{game}/past", games.past, requests.Look, answers.Past, _QUERY, cost=6),
    Route("GET", "/api/games/{game}/record", games.record, requests.FromSeat, str, _QUERY, cost=2),
    Route("GET", "/api/games/{game}/proof", games.proof_of, requests.Nothing, Proof, _QUERY, cost=2),
    Route(
        "GET", "/api/games/{game}/picture", previews.picture, requests.Nothing, bytes, _QUERY, cost=10
    ),
    Route(
        "GET", "/api/games/{game}/hint", analysis.hint, requests.FromSeat, HintAnswer,
        (*_QUERY, Code.NOT_YOUR_TURN), cost=3,
    ),
    Route(
        "GET", "/api/games/{game}/review", analysis.review, requests.Watch, ReviewAnswer, _QUERY,
        cost=3,
    ),
    Route(
        "POST", "/api/analysis", analysis.analysis, requests.AnalysePosition, PositionAnswer,
        (*_BODY, _ABSENT), cost=3,
    ),
)  # fmt: skip
