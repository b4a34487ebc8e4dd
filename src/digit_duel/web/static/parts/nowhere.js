/** The page for an address at which there is nothing, in the digits of the games. */

import { h } from "../paint.js";
import { glyph } from "../table/glyph.js";

export const nowhere = (title, text, ...buttons) => h.section({ class: "nowhere", key: "nowhere" },
  h.div({ class: "tiles", "aria-hidden": "true" }, [4, 0, 4].map((digit, at) => h.span({ class: "tile", key: at }, glyph(digit)))),
  h.h1(title), h.p({ role: "alert" }, text),
  h.div({ class: "buttons" }, h.a({ key: "home", class: "button primary", href: "/" }, "All games"), buttons));
