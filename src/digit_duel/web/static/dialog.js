/** Dialogs over the page, each a promise of its answer. */

import { h, paint, press } from "./paint.js";

/** Open a dialog; draw is called with functions that close it and that draw it again. */
export function dialog(label, draw, kind = "") {
  return new Promise((done) => {
    const box = document.createElement("dialog");
    const close = (answer) => {
      box.close(); // gives the focus back
      box.remove();
      done(answer);
    };
    const redraw = () => paint(box, h.h2(label), draw(close, redraw));
    box.className = kind;
    box.setAttribute("aria-label", label);
    box.oncancel = () => close();
    document.body.append(box);
    redraw();
    box.showModal();
  });
}

/** Ask once more; the answer is true, or nothing. */
export const ask = (title, text, yes) => dialog(title, (close) => [h.p(text),
  h.div({ class: "buttons" }, press("Cancel", () => close(), { autofocus: true }), press(yes, () => close(true), { class: "primary" }))]);
