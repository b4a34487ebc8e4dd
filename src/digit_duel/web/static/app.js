/** What all pages share: addresses, settings, the live region, sounds. */

import { h, paint, press } from "./paint.js";
import { catalogue, leave, post, resume } from "./server.js";

const PAGES = { g: "game", analysis: "analysis", verify: "verify" }; // the others are home's
// Sentences, for readers who come late.
const KEPT = 6;
const [main, status, banners, sound, settings] = ["main", "status", "banners", "sound", "settings"].map((id) => document.getElementById(id));
export const startForm = document.querySelector("form") ?? document.querySelector("template").content.querySelector("form"); // the server drew it
const prefs = { theme: "auto", letters: true, start: "coin", ...shelf("localStorage", "digit-duel") };
let [shown, close, said, count, saving, audio, notes] = ["", null, [], 0, "", null, {}];

export function go(path) {
  history.pushState(null, "", path);
  show(true);
}

async function show(moved) {
  const [, kind, name, more] = location.pathname.split("/");
  let place = !shown && main.firstElementChild; // what the server drew
  shown = location.pathname;
  close?.();
  close = null;
  hush();
  document.title = "Digit Duel";
  if (!place) {
    // What is drawn late is drawn nowhere.
    place = document.createElement("div");
    main.replaceChildren(place);
    scrollTo(0, 0);
  }
  if (moved) main.focus({ preventScroll: true });
  try {
    const page = await import(`./${more === "analysis" ? more : PAGES[kind] ?? "home"}.js`);
    if (place.isConnected) close = page.open(place, name, kind);
  } catch {
    banner("load", "This page could not be loaded.", "Reload", () => location.reload());
  }
}

function banner(key, text, label, act) {
  notes[key] = text && h.p({ key, class: "banner" }, text, press(label, act));
  paint(banners, Object.values(notes));
}

/** Whether a key is meant for somebody else. */
export const busy = (event) => event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, dialog *");

function shelf(storage, key, value) {
  try {
    if (value === undefined) return JSON.parse(window[storage].getItem(key));
    window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // Blocked or full: the page works without a memory.
    return null;
  }
}

export const pref = (name) => prefs[name] ?? "";

export function setPref(name, value) {
  prefs[name] = value;
  shelf("localStorage", "digit-duel", prefs);
  dispatchEvent(new Event("pref"));
}

/** What this tab alone remembers. */
export const tab = (key, value) => shelf("sessionStorage", key, value);

function dress() {
  document.documentElement.dataset.theme = pref("theme");
  sound.setAttribute("aria-pressed", Boolean(pref("sound")));
}

function dialog(label, draw) {
  return new Promise((done) => {
    const box = document.createElement("dialog");
    const close = (answer) => {
      box.close(); // gives the focus back
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

export const ask = (title, text, yes) => dialog(title, (close) => [h.p(text),
  h.div({ class: "buttons" }, press("Cancel", () => close(), { autofocus: true }), press(yes, () => close(true), { class: "primary" }))]);

const check = (name, label) => h.label({ class: "check" },
  h.input({ type: "checkbox", checked: Boolean(pref(name)), onchange: (event) => setPref(name, event.target.checked) }), label);

async function openSettings() {
  let [code, message] = ["", ""];
  const leaving = await dialog("Settings", (close, redraw) => [
    h.fieldset({ class: "inline" }, h.legend("Colours"), ["auto", "light", "dark"].map((theme) => h.label(
      h.input({ type: "radio", name: "theme", checked: pref("theme") === theme, onchange: () => setPref("theme", theme) }), theme))),
    check("confirm", "Confirm moves before they are sent"),
    check("letters", "Single keys pick digits and places"),
    check("sound", "Sound"),
    h.h3("Your games on another device"),
    h.div({ class: "buttons" }, press("Get a code", async () => {
      const found = await post("/api/me/codes");
      code = found.seconds ? found.code : "";
      message = code ? `Enter it on the other device within ${found.seconds / 60} minutes. It works once.` : found.message;
      redraw();
    }), code && h.output({ class: "code" }, code)),
    h.form({ class: "command", onsubmit: async (event) => {
      event.preventDefault();
      const answer = await resume(new FormData(event.target).get("code").trim());
      message = answer.message;
      redraw();
      if (answer.code === "ok") close(true);
    } }, h.label("Enter a code", h.input({ name: "code", autocomplete: "one-time-code", maxlength: 20 })), h.button("Resume")),
    h.p({ role: "alert", class: "problem" }, message),
    h.div({ class: "buttons" }, press("Leave this device", () => leave().then(() => close(true))), press("Done", () => close(), { class: "primary" })),
  ]);
  if (leaving) go("/");
}

const voice = () => paint(status, said.map(([key, text]) => h.p({ key }, text)), saving && h.p({ key: "saving", class: "soft" }, saving));

export function speak(text) {
  if (text) said = [...said, [++count, text]].slice(-KEPT);
  voice();
}

export function speakSaving(text) {
  saving = text;
  voice();
}

export function hush() {
  said = [];
  speakSaving("");
}

/** Copy a text; a page without TLS may not, and says it. */
export const copy = (text) => Promise.resolve(navigator.clipboard?.writeText(text).then(() => "Copied."))
  .catch(() => "").then((done) => speak(done || `Please copy this by hand: ${text}`));

export function blip(...pitches) {
  if (!pref("sound")) return;
  audio ??= new AudioContext();
  pitches.forEach((pitch, at) => {
    const begin = audio.currentTime + at * 0.1;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.value = 0.05;
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.09);
  });
}

export const entitle = (text) => (document.title = `${text} – Digit Duel`);
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const short = (hash) => `${hash.slice(0, 4)}…${hash.slice(-4)}`;

// Not for a link within the page.
addEventListener("popstate", () => location.pathname !== shown && show(true));
// Ask the server, not the cache.
addEventListener("pageshow", ({ persisted }) => persisted && show());
addEventListener("pref", dress);
addEventListener("newversion", () => banner("new", "A new version is here. Your game is safe.", "Reload", () => location.reload()));
addEventListener("nocookies", () => banner("cookies", "Cookies are blocked: you can play, but you cannot resume in this browser.", "Close", () => banner("cookies")));
addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || !pref("letters") || busy(event)) return;
  if (event.key === "?") go("/help");
  if (event.key === "m") sound.click();
});
sound.onclick = () => setPref("sound", !pref("sound"));
settings.onclick = openSettings;
dress();
show();
catalogue();
