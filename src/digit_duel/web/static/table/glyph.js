/** The ten digits as pictures: our own glyphs, which the page brings as SVG symbols.
 *
 * glyph(7) draws one digit in the colour and size of the text around it; glyphs("0175") draws several.
 * They are silent: whoever uses them gives the words for screen readers.
 */

import { h } from "../paint.js";

export const glyph = (digit, key) => h.svg({ class: "digit", key, "aria-hidden": "true" }, h.use({ href: `#d${digit}` }));

/** The digits of a text; what is no digit stays as it is. */
export const glyphs = (text) => [...String(text)].map((each, at) => (/\d/.test(each) ? glyph(each, at) : each));
