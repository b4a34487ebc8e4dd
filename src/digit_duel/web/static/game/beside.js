/** The side panel, in a drawer on a small screen: the moves, the count of cards, the hints. */

import { short } from "../app.js";
import { h, press } from "../paint.js";
import { steps } from "../parts/steps.js";
import { colour } from "../table/words.js";
import { hints } from "./hints.js";

export function beside(view, items, page, drawer = false) {
  const { hide, past, visit, show, type } = page;
  const way = kept(past.last > 0, steps(past.at, past.last, visit));
  const seated = view.seats.length > 0;
  const playing = view.phase === "playing" && seated && !past.then;
  const advice = seated && view.players.some(({ kind }) => kind === "computer") && kept(playing, hints(view, page));
  const list = happened(items, page, way);
  return [
    drawer && advice, // a long list fills a drawer
    list,
    sealed(items.filter(({ seal }) => seal), view.players),
    !hide && (view.variant.hidden || show.scene.counts.length > 0) && kept(show.scene.counts.length > 0, counts(show.scene.counts)),
    !drawer && advice,
    seated && kept(playing, press(["Type your move ", h.kbd({ "aria-hidden": "true" }, "/")], type, { key: "type", class: "quiet", disabled: !view.turn })),
  ];
}

/** Hide what is of no use now but keep its space, so that nothing moves. */
function kept(useful, { tag, props, children }) {
  return { tag, props: useful ? props : { ...props, class: `${props.class} kept`, inert: "" }, children };
}

/** The list of what happened, latest first. */
export const happened = (items, { hide, show, past }, way) => h.section({ key: "news", class: "happened" }, h.h2("What happened"), way,
  h.ol({ class: "moves", tabindex: "0", "aria-label": "What happened, latest first" },
    items.filter(({ kind, text }) => kind !== "sit" && text && !hide).map((item) => h.li({ key: item.version, class: `${tinted(show, item)}${past.later(item) ? " later" : ""}` }, item.text)).reverse()));

/** The colour of the player who acted or, at the end of a round, of its winner. */
function tinted(show, { seat, scene, place }) {
  const at = scene ? place?.row ?? null : seat;
  return at === null ? "" : colour(show, at);
}

/** What this seat knows about the copies of each digit. */
function counts(found) {
  const line = (name, value) => h.tr({ key: name }, h.th({ scope: "row" }, name), found.map((count) => h.td({ key: count.digit }, value(count))));
  return h.details({ class: "counts", key: "counts" }, h.summary("Count the cards"), h.table(h.tbody(
    line("Digit", ({ digit }) => digit), line("Seen", ({ most, unseen }) => most - unseen),
    line("Discards", ({ discarded }) => discarded), line("Unseen", ({ unseen }) => unseen))));
}

const sealed = (items, players) => items.length > 0 && h.details({ key: "seals", class: "seals" }, h.summary("Secret choices made"), h.ul({ class: "plain" }, items.slice(-4).map(({ version, seat, seal, at }) =>
  h.li({ key: version }, `${players[seat].name} chose ✓ ${new Date(at).toLocaleTimeString()} `, h.code(short(seal))))));
