/** One player's side of the table: name, meters and places. */

import { capital } from "../app.js";
import { h } from "../paint.js";
import { glyphs } from "./glyph.js";
import { tile } from "./tile.js";
import { colour, dealt, whose } from "./words.js";

/** Whether a meter is drawn as a bar; a shorter one is a row of dots. */
const long = ({ most }) => most >= 10;

export function row(context, at) {
  const { scene, acting, mark, below, mini } = context.shown;
  const { cells, meters } = scene.rows[at];
  const turn = acting.includes(at);
  const hit = mark?.row === at && mark.cell === null;
  return h.section({
    class: `row ${colour(context.shown, at)} ${at === below ? "below" : "above"}${turn ? " turn" : ""}${hit ? " hit" : ""}`,
    key: at, "aria-label": !mini && `${whose(context.shown, at)} side`,
  },
    name(context, at, turn),
    meters.filter(long).map((meter) => bar(context, at, meter)),
    cells.length > 0 && h.div({ class: "cells" }, cells.map((cell, place) => spot(context, at, place, cell))));
}

/** The name with its tags; the turn is shown by colour, and in words for screen readers. */
export function name({ shown }, at, turn, full = true, heading = h.h2) {
  const { names, tags, scene, mini, still, verdict } = shown;
  const { meters, note } = scene.rows[at];
  if (mini) return null;
  return heading({ class: "who" },
    h.span({ class: "named" }, h.span({ class: "name" }, h.bdi(names[at]), turn && h.span({ class: "hidden" }, still ? ", was to choose" : ", to choose")),
      // Dots of rounds won show who is ahead.
      !verdict && scene.leads === at && meters.every(long) && h.span({ class: "ahead" }, leading(scene.lead))),
    meters.filter((meter) => !long(meter)).map((meter) => dots(shown, at, meter)),
    tags[at] && h.small({ class: "tag" }, tags[at]), full && note && (verdict || meters.every(long)) && !/^\d+$/.test(note) && h.small({ class: "note" }, note.split(/( possible)/).map((part, at) => (at === 1 ? h.span({ class: "spare" }, part) : part))));
}

/** "lower so far" where there is room for it, and "ahead" where there is not. */
const leading = (lead) => (lead.endsWith(" so far") ? [h.span({ class: "long" }, lead), h.span({ class: "short" }, "ahead")] : lead);

const reading = (shown, at, { label, value, most }) => ({
  role: "meter", "aria-label": `${whose(shown, at)} ${label}`, "aria-valuenow": value, "aria-valuemin": 0, "aria-valuemax": most,
});

const dots = (shown, at, meter) => h.span({ class: "pips", key: meter.label, title: `${capital(meter.label)}: ${meter.value} of ${meter.most}`, ...reading(shown, at, meter) },
  Array.from({ length: meter.most }, (_, pip) => h.i({ key: pip, class: pip < meter.value ? "on" : "" })), h.small(`${meter.value} of ${meter.most} ${meter.label}`));

/** A meter such as life: a large number with its last change, and a bar. */
function bar({ shown, hits }, at, meter) {
  const { label, value, most } = meter;
  const part = Math.min(1, Math.max(0, value) / most);
  return h.div({ class: "meter", key: label },
    h.span({ class: "hidden" }, `${capital(label)} ${value} of ${most}`),
    // A new element for each number: changing centred text in place would count as a layout shift.
    h.span({ class: "points", key: `${label} ${value}`, "aria-hidden": "true" }, h.span({ class: "number" }, glyphs(value)),
      // Beside the number, so that it stays in the middle of the bar.
      h.span({ class: "changes" }, h.small(label), hits?.(at).map(({ key, points, spent }) => h.b({ key, class: `change ${points < 0 ? "bad" : "good"}${spent ? " spent" : ""}` }, `${points < 0 ? "−" : "+"}${Math.abs(points)}`)))),
    h.span({ class: "track", "--part": part, ...(shown.mini ? {} : reading(shown, at, meter)) }, h.i()));
}

function spot(context, row, cell, { digit, hidden, label }) {
  const { shown, pick, found: { places }, badges, tap } = context;
  const { hide, seat, mark, pending, scene: { caption } } = shown;
  const place = `${row}/${cell}`;
  const coming = pending && pick.place === place;
  const covered = hidden || (hide && row === seat && digit !== null);
  const face = covered ? "back" : coming ? pick.digit ?? dealt(shown.scene) : digit;
  const open = places.has(place);
  const badge = open && badges.places?.[place];
  const fresh = mark?.row === row && mark.cell === cell;
  const captioned = caption && !covered && digit !== null;
  const state = covered ? "face down" : face ?? "empty";
  return h.span({ class: "place", key: cell },
    tile(context, face, () => tap("place", place), {
      class: `${fresh ? `fresh ${mark.by == null ? "" : colour(shown, mark.by)}` : ""}${coming ? "pending" : ""}${open ? " open" : ""}`, key: "tile", badge,
      over: face === null && label && h.span({ class: "label", "aria-hidden": "true" }, label),
      disabled: !open,
      "aria-pressed": open && String(pick.place === place),
      "aria-label": `${whose(shown, row)} ${label || `place ${cell + 1}`}, ${state}${coming ? ", being sent" : ""}${captioned ? `, ${caption}` : ""}${badge?.text ? `, ${badge.text}` : ""}`,
    }), captioned && h.small({ class: "caption", key: "caption", "aria-hidden": "true" }, caption));
}
