/** The settings: appearance, keys and sound; codes for other devices; the list of signed-in devices. */

import { go, pref, setPref } from "./app.js";
import { h, press } from "./paint.js";
import { dialog } from "./parts/dialog.js";
import { post, resume } from "./server.js";
import { devices, fetchDevices } from "./settings/devices.js";

export async function openSettings() {
  const state = { code: "", told: "", message: "", sessions: [], problem: "" };
  const leaving = await dialog("Settings", (close, redraw) => {
    const show = (more) => {
      Object.assign(state, more);
      redraw();
    };
    state.show ??= (fetchDevices(show), show);
    return [
      h.div({ class: "scrolls" }, look(),
        h.div({ class: "checks" }, check("confirm", "Confirm moves before they are sent"), check("letters", "Choose digits and places with the keyboard"), check("sound", "Sound")),
        codes(state, show, close), devices(state, show, close)),
      h.div({ class: "buttons" }, press("Done", () => close(), { class: "primary" })),
    ];
  }, "settings");
  if (leaving) go("/");
}

const look = () => h.fieldset({ class: "chips" }, h.legend("Colours"), ["auto", "light", "dark"].map((theme) => h.label({ key: theme, class: "chip" },
  h.input({ type: "radio", name: "theme", checked: pref("theme") === theme, onchange: () => setPref("theme", theme) }), h.span(theme))));

const check = (name, label) => h.label({ class: "check" },
  h.input({ type: "checkbox", checked: Boolean(pref(name)), onchange: (event) => setPref(name, event.target.checked) }), label);

function codes(state, show, close) {
  const fetchCode = async () => {
    const { code, seconds, message } = await post("/api/me/codes");
    show(seconds ? { code, told: `Enter it on the other device within ${seconds / 60} minutes. It works once.`, message: "" } : { code: "", told: "", message });
  };
  const enterCode = async (event) => {
    event.preventDefault();
    const answer = await resume(new FormData(event.target).get("code").trim());
    show({ message: answer.message });
    if (answer.code === "ok") close(true);
  };
  return [
    h.h3("Your games on another device"),
    h.div({ class: "buttons" }, press("Get a code", fetchCode), state.code && [h.output({ class: "code" }, state.code), h.output({ class: "soft" }, state.told)]),
    h.form({ class: "command", onsubmit: enterCode }, h.label("Enter a code", h.input({ name: "code", autocomplete: "one-time-code", maxlength: 20 })), h.button("Continue here")),
    h.p({ role: "alert", class: "problem" }, state.message),
  ];
}
