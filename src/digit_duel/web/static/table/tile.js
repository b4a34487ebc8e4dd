/** A tile, a card's back, or an empty place: a button if it can be tapped, a picture in a miniature. */

import { h, press } from "../paint.js";
import { glyph } from "./glyph.js";

/** face: a digit, null for an empty place, "back" for face down. */
export function tile({ shown: { mini } }, face, act, { badge, over, ...props }) {
  const kind = face === "back" ? "back" : face === null ? "slot" : "tile";
  const inside = [kind === "tile" && glyph(face), over, badge && h.span({ class: `sign ${badge.tone ?? ""}`, "aria-hidden": "true" }, badge.sign)];
  const { key, class: more = "", ...rest } = props;
  if (mini || !act) return h.span({ class: `${kind} ${more}`, key, ...(mini ? {} : rest) }, inside);
  return press(inside, act, { ...rest, key, class: `${kind} ${more}` });
}
