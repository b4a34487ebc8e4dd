/** Questions in a window of their own. */

import { h, paint } from "./paint.js";

/** Show a dialog; draw gets a function that closes it with an answer. */
export function show(label, draw) {
  return new Promise((done) => {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", label);
    const close = (answer) => {
      dialog.close();
      dialog.remove();
      done(answer);
    };
    const redraw = () => paint(dialog, draw(close, redraw));
    dialog.oncancel = (event) => {
      event.preventDefault();
      close(false);
    };
    document.body.append(dialog);
    redraw();
    dialog.showModal();
  });
}

/** Ask before something that cannot be taken back. */
export const ask = (title, text, yes) => show(title, (close) => [
  h("h2", null, title),
  h("p", null, text),
  h("div", { class: "buttons" },
    h("button", { type: "button", autofocus: true, onclick: () => close(false) }, "Cancel"),
    h("button", { type: "button", class: "primary", onclick: () => close(true) }, yes)),
]);
