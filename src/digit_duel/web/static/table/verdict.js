/** The result: both numbers side by side, the better one marked, and the place that decided.
 *
 * show.verdict = { title, sentence, winner, more }: winner is a seat or null, more are descriptions to draw below the sentence.
 */

import { h } from "../paint.js";
import { glyphs } from "./glyph.js";
import { name } from "./rows.js";
import { tile } from "./tile.js";
import { colour, whose } from "./words.js";

export function verdict(context) {
  const { shown: { verdict: { title, sentence, winner, more, label }, below, foot }, shown } = context;
  return [
    h.section({ class: "result", key: "result", "aria-label": label },
      shown.scene.heading && h.p({ class: "heading" }, shown.scene.heading),
      h.h2({ class: "title", tabindex: "-1" }, title),
      h.div({ class: "versus" }, side(context, below, winner), side(context, 1 - below, winner)),
      h.p({ class: "closing" }, sentence), h.p({ class: "soft reason" }, shown.scene.goal), more),
    h.div({ class: "foot", key: "foot" }, h.div({ class: "asks" }, foot)),
  ];
}

function side(context, at, winner) {
  const { shown, shown: { scene } } = context;
  const { cells, meters } = scene.rows[at];
  const bar = meters.find(({ most }) => most >= 10);
  const lost = winner !== null && winner !== at;
  return h.section({ class: `number-side ${colour(shown, at)}${lost ? " lost" : winner === at ? " won" : ""}`, key: at, "aria-label": `${whose(shown, at)} side` },
    cells.length > 0 && h.div({ class: bar ? "cells small" : "cells" }, cells.map((cell, place) => compared(context, at, place, cell))),
    bar && h.div({ class: "points" }, h.span({ class: "number", role: "img", "aria-label": `${bar.label} ${bar.value}` }, glyphs(bar.value)), h.small(bar.label)),
    name(context, at, false, lost, h.h3));
}

/** A digit of a finished number; places are compared from the left until they differ. */
function compared(context, at, place, { digit, hidden, label }) {
  const { shown, shown: { scene: { decided = null } } } = context;
  const state = decided === null || place > decided ? "" : place === decided ? "deciding" : "equal";
  return h.span({ class: "place", key: place, "--at": place }, tile(context, hidden ? "back" : digit, null, {
    class: state, role: "img", key: "tile", "aria-label": `${whose(shown, at)} ${label || `place ${place + 1}`}, ${hidden ? "face down" : digit ?? "empty"}`,
  }));
}
