/** The result: both numbers side by side, the better one marked, and the place that decided.
 *
 * show.verdict = { title, sentence, winner, goal, cheer, more }: winner is a seat or null, goal is whether to say what wins, cheer
 * whether the winner's digits rain, more are descriptions to draw below the sentence. What the present step of climax.js does not show yet is invisible, but has its place.
 */

import { h } from "../paint.js";
import { MARKING, TURNING } from "./climax.js";
import { glyph, glyphs } from "./glyph.js";
import { name } from "./rows.js";
import { tile } from "./tile.js";
import { colour, whose } from "./words.js";

const DROPS = 14;

/** Whether it is said who won. */
export const told = (stage) => stage !== TURNING && stage !== MARKING;

export function verdict({ shown: { scene, ...rest }, stage, was, live, ...more }) {
  // The score changes last.
  const rows = stage && was ? scene.rows.map((row, at) => ({ ...row, meters: was.rows[at].meters })) : scene.rows;
  const context = { ...more, stage, shown: { ...rest, scene: { ...scene, rows } } };
  const { verdict: { title, sentence, winner, more: below, label, goal = true, cheer }, foot, below: mine } = rest;
  return [
    cheer && live && told(stage) && rain(scene.rows[winner], colour(rest, winner)),
    h.section({ class: "result", key: "result", "aria-label": label },
      scene.heading && h.p({ class: "heading" }, scene.heading),
      h.h2({ class: "title", tabindex: "-1" }, title),
      // As they sat at the table.
      h.div({ class: "versus" }, side(context, 1 - mine, winner), side(context, mine, winner)),
      h.p({ class: "closing" }, sentence), goal && h.p({ class: "soft reason" }, scene.goal), below),
    h.div({ class: "foot", key: "foot" }, h.div({ class: "asks" }, foot)),
  ];
}

/** Digits of the winner's number, or of what is left of their life, that rain over the table once. */
function rain({ cells, meters }, player) {
  const digits = cells.length ? cells.map(({ digit }) => digit) : [...String(meters[0].value)];
  return h.div({ class: `rain ${player}`, key: "rain", "aria-hidden": "true" },
    Array.from({ length: DROPS }, (_, at) => h.span({ key: at, "--at": at }, glyph(digits[at % digits.length]))));
}

function side(context, at, winner) {
  const { shown, shown: { scene }, stage } = context;
  const { cells, meters } = scene.rows[at];
  const bar = meters.find(({ most }) => most >= 10);
  const lost = winner !== null && winner !== at;
  const [fades, wins] = [lost && stage !== TURNING && !level(scene), winner === at && told(stage)];
  return h.section({ class: `number-side ${colour(shown, at)}${fades ? " lost" : wins ? " won" : ""}`, key: at, "aria-label": `${whose(shown, at)} side` },
    cells.length > 0 && h.div({ class: bar ? "cells small" : "cells" }, cells.map((cell, place) => compared(context, at, place, cell))),
    bar && h.div({ class: "points", key: bar.value }, h.span({ class: "number", role: "img", "aria-label": `${bar.label} ${bar.value}` }, glyphs(bar.value)), h.small(bar.label)),
    name(context, at, false, lost, h.h3));
}

/** Whether both have the same number, so that none of them is worse. */
function level({ rows: [one, other] }) {
  return one.cells.length > 0 && one.cells.every(({ digit }, place) => digit === other.cells[place].digit);
}

/** A digit of a finished number; places are compared from the left until they differ. */
function compared(context, at, place, { digit, hidden, label }) {
  const { shown, shown: { scene: { decided = null } }, stage } = context;
  const state = decided === null || place > decided || stage === TURNING ? "" : place === decided ? "deciding" : "equal";
  return h.span({ class: "place", key: place, "--at": place }, tile(context, hidden ? "back" : digit, null, {
    class: state, role: "img", key: "tile", "aria-label": `${whose(shown, at)} ${label || `place ${place + 1}`}, ${hidden ? "face down" : digit ?? "empty"}`,
  }));
}
