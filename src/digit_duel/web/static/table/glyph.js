/** The ten digits as pictures, from SVG symbols in the page.
 *
 * glyph(7) draws one digit in the colour and size of the text around it; glyphs("0175") draws several.
 * Screen readers skip them: the caller must provide the text.
 */

import { h } from "../paint.js";

export const glyph = (digit, key) => h.svg({ class: "digit", key, "aria-hidden": "true" }, h.use({ href: `#d${digit}` }));

const minus = (key) => h.svg({ class: "digit minus", key, viewBox: "5 0 14 36", "aria-hidden": "true" }, h.path({ d: "M7 18h10" }));

/** A number with its digits, and its minus, as pictures. */
export const glyphs = (number) => [...String(number)].map((each, at) => (each === "-" ? minus(at) : glyph(each, at)));
