/** A list of choices with their values; with play, each is a button. */

import { h, press } from "./paint.js";

export const values = (options, play) => h.ul({ class: "plain values" }, options.map(({ move, words = move, symbol, text, best }) => h.li({ key: move },
  play ? press(h.span(`${symbol} `, h.b(words), `: ${text}`), () => play(move), { class: best ? "best" : "" }) : `${symbol} ${words}: ${text}`)));
