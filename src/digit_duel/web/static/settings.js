/** The settings, and the way to another device. */

import { leave, post, resume, session } from "./api.js";
import { show } from "./dialog.js";
import { h } from "./paint.js";
import { pref, setPref } from "./prefs.js";
import { go } from "./route.js";

const CHECKS = [["confirm", "Confirm moves before they are sent"], ["letters", "Single keys pick digits and places"], ["sound", "Sound"]];

export function openSettings() {
  const state = { code: null, message: "" };
  return show("Settings", (close, redraw) => [
    h("h2", null, "Settings"),
    h("fieldset", { class: "inline" }, h("legend", null, "Colours"), ["auto", "light", "dark"].map((theme) => h("label", { key: theme },
      h("input", { type: "radio", name: "theme", value: theme, checked: pref("theme") === theme, onchange: () => setPref("theme", theme) }), theme))),
    CHECKS.map(([name, label]) => h("label", { key: name, class: "check" },
      h("input", { type: "checkbox", checked: pref(name), onchange: (event) => setPref(name, event.target.checked) }), label)),
    h("h3", null, "Your games on another device"),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => getCode(state, redraw) }, "Get a code"),
      state.code && h("output", { class: "code" }, state.code)),
    h("form", { class: "command", onsubmit: (event) => useCode(event, state, redraw, close) },
      h("label", null, "Enter a code", h("input", { name: "code", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", maxlength: 20 })),
      h("button", { type: "submit" }, "Resume")),
    state.message && h("p", { role: "alert", class: "problem" }, state.message),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: async () => { await leave(); close(); go("/"); } }, "Leave this device"),
      h("button", { type: "button", class: "primary", onclick: () => close() }, "Done")),
  ]);
}

async function getCode(state, redraw) {
  const known = await session();
  const found = known.code === "ok" ? await post("/api/me/codes") : known;
  state.code = found.seconds ? found.code : null;
  state.message = found.seconds ? `Type it on the other device within ${Math.round(found.seconds / 60)} minutes. It works once.` : found.message;
  redraw();
}

async function useCode(event, state, redraw, close) {
  event.preventDefault();
  const answer = await resume(new FormData(event.target).get("code").trim());
  if (answer.code === "ok") {
    close();
    go("/");
  } else {
    state.message = answer.message;
    redraw();
  }
}
