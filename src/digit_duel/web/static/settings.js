/** What this browser remembers, and the window in which to change it. */

import { leave, post, resume, session } from "./api.js";
import { go } from "./app.js";
import { h, paint, press } from "./paint.js";

const prefs = { theme: "auto", sound: false, confirm: false, letters: true, start: "coin", ...shelf("localStorage", "digit-duel") };

function shelf(storage, key, value) {
  try {
    const place = window[storage];
    if (value === undefined) return JSON.parse(place.getItem(key));
    place.setItem(key, JSON.stringify(value));
  } catch {
    return null; // storage is blocked or full: the page works without a memory
  }
}

export const pref = (name) => prefs[name] ?? "";

export function setPref(name, value) {
  prefs[name] = value;
  shelf("localStorage", "digit-duel", prefs);
  dispatchEvent(new Event("pref"));
}

/** Something of this tab alone: read it, or keep it. */
export const tab = (key, value) => shelf("sessionStorage", key, value);

/** A window of its own; draw gets what closes it with an answer, and what draws it again. */
function dialog(label, draw) {
  return new Promise((done) => {
    const box = document.createElement("dialog");
    const close = (answer) => {
      box.close();
      box.remove();
      done(answer);
    };
    const redraw = () => paint(box, h.h2(label), draw(close, redraw));
    box.setAttribute("aria-label", label);
    box.oncancel = () => close();
    document.body.append(box);
    redraw();
    box.showModal();
  });
}

/** Ask before something that cannot be taken back. */
export const ask = (title, text, yes) => dialog(title, (close) => [
  h.p(text),
  h.div({ class: "buttons" }, press("Cancel", () => close(false), { autofocus: true }), press(yes, () => close(true), { class: "primary" })),
]);

const check = (name, label) => h.label({ class: "check" },
  h.input({ type: "checkbox", checked: pref(name), onchange: (event) => setPref(name, event.target.checked) }), label);

export function openSettings() {
  let [code, message] = ["", ""];
  return dialog("Settings", (close, redraw) => [
    h.fieldset({ class: "inline" }, h.legend("Colours"), ["auto", "light", "dark"].map((theme) => h.label(
      h.input({ type: "radio", name: "theme", checked: pref("theme") === theme, onchange: () => setPref("theme", theme) }), theme))),
    check("confirm", "Confirm moves before they are sent"),
    check("letters", "Single keys pick digits and places"),
    check("sound", "Sound"),
    h.h3("Your games on another device"),
    h.div({ class: "buttons" }, press("Get a code", async () => {
      const known = await session();
      const found = known.code === "ok" ? await post("/api/me/codes") : known;
      code = found.seconds ? found.code : "";
      message = code ? `Type it on the other device within ${found.seconds / 60} minutes. It works once.` : found.message;
      redraw();
    }), code && h.output({ class: "code" }, code)),
    h.form({ class: "command", onsubmit: async (event) => {
      event.preventDefault();
      const answer = await resume(new FormData(event.target).get("code").trim());
      if (answer.code === "ok") return close(go("/"));
      message = answer.message;
      redraw();
    } }, h.label("Enter a code", h.input({ name: "code", autocomplete: "one-time-code", spellcheck: "false", maxlength: 20 })),
      h.button("Resume")),
    h.p({ role: "alert", class: "problem" }, message),
    h.div({ class: "buttons" }, press("Leave this device", async () => close(await leave(), go("/"))), press("Done", () => close(), { class: "primary" })),
  ]);
}
