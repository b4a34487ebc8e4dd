/** The ten digits as pictures, from SVG symbols in the page.
 *
 * glyph(7) draws one digit in the colour and size of the text around it; glyphs("0175") draws several.
 * Screen readers skip them: the caller must provide the text.
 */

import { h } from "../paint.js";

export const glyph = (digit, key) => h.svg({ class: "digit", key, "aria-hidden": "true" }, h.use({ href: `#d${digit}` }));

/** A text with its digits as pictures, and a minus as long as they are wide. */
export const glyphs = (text) => [...String(text).replace("-", "−")].map((each, at) => (/\d/.test(each) ? glyph(each, at) : each));
