/** Between the two sides: the pool, or the deck with the drawn card, and the facts. */

import { h } from "../paint.js";
import { tile } from "./tile.js";
import { a, dealt } from "./words.js";

const ROW = 5; // digits that fit in one line of a phone
const SHORT = 20; // characters of a fact that fit beside the deck

export function middle(context) {
  const { scene: { goal, heading, facts, pool, drawn, counts }, mini } = context.shown;
  const cards = !pool.length && (drawn || counts.length > 0);
  const title = heading && h.li({ key: "heading", class: "heading" }, heading);
  const list = (...found) => found.flat().map((fact) => h.li({ key: fact }, fact));
  return h.div({ class: cards ? "middle cards" : "middle", key: "middle" },
    pool.length > 0 && digits(context),
    cards && deck(context, [title, list(facts.filter(({ length }) => length <= SHORT))]),
    !mini && h.ul({ class: "facts" }, !cards && title, goal && h.li({ key: "goal", class: "goal" }, goal),
      list(cards ? facts.filter(({ length }) => length > SHORT) : facts)));
}

function digits(context) {
  const { shown: { scene: { pool }, mini }, pick, found: { needs } } = context;
  const half = pool.length > ROW ? Math.ceil(pool.length / 2) : pool.length;
  const wanted = needs.includes("digit") && Object.keys(pick).length > 0; // the rest is chosen
  return h.div({ class: wanted ? "pool wanted" : "pool", role: !mini && "group", "aria-label": !mini && "Digits", "--count": 2 * pool.length, "--half": 2 * half },
    // Of an odd number of digits, the second line is in the middle: a hole would look like a digit that is taken.
    pool.map((stock, at) => digit(context, stock, at === half && pool.length % 2 > 0)));
}

function digit(context, { digit, left: there, most }, centred) {
  const { shown: { pending, scene, mini }, pick, found: { digits }, badges, tap } = context;
  const drawn = dealt(scene) === digit; // shown lifted in the pool
  const taken = pending && (pick.digit === digit || drawn);
  const left = there + (drawn ? 1 : 0) - (taken && pick.place ? 1 : 0); // already drawn on a board
  const open = left > 0 && digits.has(digit);
  const badge = open && badges.digits?.[digit];
  return tile(context, digit, () => tap("digit", digit), {
    key: digit, badge,
    class: `${centred ? "centred " : ""}${left ? "" : "gone"}${left > 1 ? " more" : ""}${open ? " open" : ""}${taken && left ? " pending" : ""}${drawn && !taken ? " up" : ""}`,
    over: left > 1 && !mini && h.sup({ "aria-hidden": "true" }, `×${left}`),
    disabled: !open,
    "aria-pressed": (open || Boolean(pending)) && String(pick.digit === digit),
    "aria-label": `Digit ${digit}${drawn ? ", drawn" : ""}${left ? (most > 1 ? `, ${left} left` : "") : ", gone"}${badge?.text ? `, ${badge.text}` : ""}`,
  });
}

/** The deck and the drawn card; without a card, its place stays empty. */
function deck(context, facts) {
  const { scene: { drawn }, hide, pending, mini } = context.shown;
  const face = drawn ? (drawn.hidden || hide ? "back" : drawn.digit) : null;
  return h.div({ class: "deck" }, tile(context, "back", null, { class: "more stock", key: "stock" }),
    h.span({ class: "drawn", key: "drawn" }, drawn && tile(context, face, null, {
      class: pending ? "pending" : "up", key: "card", role: !mini && "img", "aria-label": !mini && (face === "back" ? "a card face down" : a(face)),
    })),
    !mini && h.ul({ class: "facts beside-deck" }, facts));
}
