/** The settings: colours, keys and sound, and the way to other devices. */

import { go, pref, setPref } from "./app.js";
import { ask, dialog } from "./dialog.js";
import { h, press } from "./paint.js";
import { leave, post, resume } from "./server.js";

export async function openSettings() {
  const state = { code: "", message: "" };
  const leaving = await dialog("Settings", (close, redraw) => [
    colours(),
    check("confirm", "Confirm moves before they are sent"),
    check("letters", "Single keys pick digits and places"),
    check("sound", "Sound"),
    devices(state, close, redraw),
    h.div({ class: "buttons" }, press("Leave this device", () => leaveDevice(close)), press("Done", () => close(), { class: "primary" })),
  ]);
  if (leaving) go("/");
}

const colours = () => h.fieldset({ class: "inline" }, h.legend("Colours"), ["auto", "light", "dark"].map((theme) => h.label(
  h.input({ type: "radio", name: "theme", checked: pref("theme") === theme, onchange: () => setPref("theme", theme) }), theme)));

const check = (name, label) => h.label({ class: "check" },
  h.input({ type: "checkbox", checked: Boolean(pref(name)), onchange: (event) => setPref(name, event.target.checked) }), label);

function devices(state, close, redraw) {
  const show = (more) => {
    Object.assign(state, more);
    redraw();
  };
  const fetchCode = async () => {
    const { code, seconds, message } = await post("/api/me/codes");
    show(seconds ? { code, message: `Enter it on the other device within ${seconds / 60} minutes. It works once.` } : { code: "", message });
  };
  const enterCode = async (event) => {
    event.preventDefault();
    const answer = await resume(new FormData(event.target).get("code").trim());
    show({ message: answer.message });
    if (answer.code === "ok") close(true);
  };
  return [
    h.h3("Your games on another device"),
    h.div({ class: "buttons" }, press("Get a code", fetchCode), state.code && h.output({ class: "code" }, state.code)),
    h.form({ class: "command", onsubmit: enterCode }, h.label("Enter a code", h.input({ name: "code", autocomplete: "one-time-code", maxlength: 20 })), h.button("Resume")),
    h.p({ role: "alert", class: "problem" }, state.message),
  ];
}

async function leaveDevice(close) {
  const sure = await ask("Leave this device?", "Your games disappear from this browser. Only a code that you got before brings them back.", "Leave this device");
  if (!sure) return;
  await leave();
  close(true);
}
