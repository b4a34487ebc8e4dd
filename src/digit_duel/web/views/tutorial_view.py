"""Tutorials as data for the page: each lesson's table, its choices, and what follows the good ones."""

from __future__ import annotations

from msgspec import UNSET

from digit_duel.core.script import AnyStep
from digit_duel.core.teaching import tutor
from digit_duel.core.teaching.tutorial import Lesson, Tutorial
from digit_duel.core.variant import AnyVariant
from digit_duel.web.views.choices import cached_script, choices
from digit_duel.web.views.view_types import LessonStep, LessonView, PlaceView, TutorialView


def tutorial_view(variant: AnyVariant, tutorial: Tutorial) -> TutorialView:
    """Build a whole tutorial; it is the same for everybody, and contains nothing from real games."""
    lessons = [_lesson(variant, lesson) for lesson in tutorial.lessons]
    return TutorialView(variant.id, variant.title, lessons)


def _lesson(variant: AnyVariant, lesson: Lesson) -> LessonView:
    game, script = variant.game, cached_script(variant)
    session = tutor.position(variant, lesson)
    seen = session.view(lesson.seat)
    legal = {game.text(move): move for move in tutor.moves(variant, lesson)}
    offered = choices(script, seen, lesson.seat, legal)
    judged = {text: tutor.judge(variant, lesson, move) for text, move in legal.items()}
    pointed = tutor.pointed_at(variant, lesson)
    return LessonView(
        secret=offered.secret,
        moves=offered.moves,
        questions=offered.questions,
        spots=offered.spots,
        text=lesson.text,
        well=lesson.well,
        otherwise=lesson.otherwise,
        seat=lesson.seat,
        names=tutor.names(lesson),
        acting=list(session.acting),
        scene=script.scene(seen),
        point=None if pointed is None else game.text(pointed),
        good={
            text: [_step(variant, step, lesson) for step in found.session.steps[len(session.steps) :]]
            for text, found in judged.items()
            if found.good
        },
    )


def _step(variant: AnyVariant, step: AnyStep, lesson: Lesson) -> LessonStep:
    """The scene after a step, as the learner sees it."""
    game, script = variant.game, cached_script(variant)
    found = LessonStep(
        step.seat, script.scene(game.view(step.after, lesson.seat)), list(game.acting(step.after))
    )
    spot = None if step.seat is None else script.lands(step)
    if spot is not None and spot.row is not None:
        found.place = PlaceView(spot.row, spot.cell, UNSET if spot.points is None else spot.points)
    if (outcome := game.outcome(step.after)) is not None:
        found.ended = "game"
        found.winner = UNSET if outcome.winner is None else outcome.winner
    elif script.round_result(step, tutor.names(lesson)):
        found.ended = "round"
        found.winner = (
            UNSET if spot is None or spot.row is None else spot.row
        )  # a reveal shows on the winner's side
    return found
