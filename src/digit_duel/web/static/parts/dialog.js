/** Dialogs; each returns a promise of its answer.
 *
 * dialog(label, draw, kind): draw(close, redraw) returns descriptions; kind is a class: "", "drawer" or "menu".
 *   Escape, a tap outside and leaving the page close it without an answer. The focus returns to where it was.
 * ask(title, text, yes) asks for confirmation; the answer is true, or nothing.
 */

import { h, paint, press } from "../paint.js";

export function dialog(label, draw, kind = "") {
  return new Promise((done) => {
    const box = document.createElement("dialog");
    const close = (answer) => {
      box.close(); // restores the focus
      box.remove();
      done(answer);
    };
    const redraw = () => paint(box, h.h2(label), kind === "drawer" && shut(close), draw(close, redraw), kind === "menu" && shut(close));
    box.className = kind;
    box.setAttribute("aria-label", label);
    box.oncancel = () => close();
    box.onclick = ({ target }) => void (target === box && close()); // a tap on the backdrop has the dialog as its target
    document.body.append(box);
    redraw();
    box.showModal();
  });
}

const shut = (close) => press("✕", () => close(), { class: "quiet close", "aria-label": "Close" });

export const ask = (title, text, yes) => dialog(title, (close) => [h.p(text),
  h.div({ class: "buttons" }, press("Cancel", () => close(), { autofocus: true }), press(yes, () => close(true), { class: "primary" }))]);
