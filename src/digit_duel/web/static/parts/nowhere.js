/** The page for an address at which there is nothing, in the digits of the games; and the one for a lost connection. */

import { h, press } from "../paint.js";
import { glyph } from "../table/glyph.js";

/** What to show instead of something that the server did not give: nothing is there, or it was not reached. */
export const missing = (title, { code, message }) => (code === "offline" ? unreachable : nowhere(title, message));

const home = (kind) => h.a({ key: "home", class: `button ${kind}`, href: "/" }, "All games");

const unreachable = h.section({ class: "nowhere", key: "unreachable" },
  h.h1("No connection"), h.p({ role: "alert" }, "This page comes from the server. Try again when you are online."),
  h.div({ class: "buttons" }, press("Try again", () => location.reload(), { key: "again", class: "primary" }), home("")));

export const nowhere = (title, text, ...buttons) => h.section({ class: "nowhere", key: "nowhere" },
  h.div({ class: "tiles", "aria-hidden": "true" }, [4, 0, 4].map((digit, at) => h.span({ class: "tile", key: at }, glyph(digit)))),
  h.h1(title), h.p({ role: "alert" }, text),
  h.div({ class: "buttons" }, home("primary"), buttons));
