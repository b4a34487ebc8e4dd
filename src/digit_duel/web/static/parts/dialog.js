/** What opens over the page, each a promise of its answer.
 *
 * dialog(label, draw, kind): draw(close, redraw) returns descriptions; kind is a class: "", "drawer" or "menu".
 *   Escape and a tap beside it answer nothing. The focus goes back where it was.
 * ask(title, text, yes): once more, before something that cannot be undone; the answer is true, or nothing.
 */

import { h, paint, press } from "../paint.js";

export function dialog(label, draw, kind = "") {
  return new Promise((done) => {
    const box = document.createElement("dialog");
    const close = (answer) => {
      box.close(); // gives the focus back
      box.remove();
      done(answer);
    };
    const redraw = () => paint(box, h.h2(label), kind === "drawer" && press("✕", () => close(), { class: "quiet close", "aria-label": "Close" }), draw(close, redraw));
    box.className = kind;
    box.setAttribute("aria-label", label);
    box.oncancel = () => close();
    box.onclick = ({ target }) => void (target === box && close()); // only the backdrop is the dialog itself
    document.body.append(box);
    redraw();
    box.showModal();
  });
}

export const ask = (title, text, yes) => dialog(title, (close) => [h.p(text),
  h.div({ class: "buttons" }, press("Cancel", () => close(), { autofocus: true }), press(yes, () => close(true), { class: "primary" }))]);
