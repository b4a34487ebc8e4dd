/** What all pages share: navigation, settings, the live region, sounds. */

import { h, paint, press } from "./paint.js";
import { setBar } from "./parts/bar.js";
import { catalogue } from "./server.js";

const PAGES = { "": "home", new: "home", j: "invitation", g: "game", learn: "learn", analysis: "analysis", verify: "verify", games: "games" }; // any other word opens the guide
// Sentences that the live region keeps, for slow screen readers.
const KEPT = 6;
const [main, status, banners] = ["main", "status", "banners"].map((id) => document.getElementById(id));
export const startForm = document.querySelector("form") ?? document.querySelector("template").content.querySelector("form"); // the server drew it
const prefs = { theme: "auto", letters: true, start: "coin", ...shelf("localStorage", "digit-duel") };
let [shown, close, said, count, saving, audio, notes, played, coming] = ["", null, [], 0, "", null, {}, null, null];

// The HTML contains the style of its own page; the style sheet with all others loads later.
const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("./style/whole.css", import.meta.url).href });
const styled = new Promise((done) => [style.onload, style.onerror] = [done, done]);

export function go(path) {
  history.pushState(null, "", path);
  show(true);
}

async function show(moved) {
  const [, kind, name, more] = location.pathname.split("/");
  const served = !shown && main.firstElementChild; // what the server drew
  const place = (coming = served || document.createElement("div"));
  shown = location.pathname;
  close?.();
  close = null;
  played = null;
  document.querySelectorAll("dialog").forEach((box) => box.oncancel()); // it belongs to the page that is left
  hush();
  setBar();
  document.title = "Digit Duel";
  main.inert = !served; // the last page stays in sight until the next one is there
  try {
    if (moved) await styled;
    const page = await import(`./${more === "analysis" ? more : PAGES[kind] ?? "guide"}.js`);
    if (coming !== place) return; // another page was asked for in the meantime
    main.inert = false;
    if (!served) {
      main.replaceChildren(place);
      scrollTo(0, 0);
    }
    if (moved) main.focus({ preventScroll: true });
    close = page.open(place, name, kind);
  } catch {
    main.inert = false;
    banner("load", "This page could not be loaded.", "Reload", () => location.reload());
  }
}

function banner(key, text, label, act) {
  notes[key] = text && h.p({ key, class: "banner" }, text, press(label, act));
  paint(banners, Object.values(notes));
}

/** Whether a key is meant for a field, a dialog or the browser. */
export const busy = (event) => event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, dialog *, .command *");

function shelf(storage, key, value) {
  try {
    if (value === undefined) return JSON.parse(window[storage].getItem(key));
    window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // Storage is blocked or full: the page works without it.
    return null;
  }
}

export const pref = (name) => prefs[name] ?? "";

export function setPref(name, value) {
  prefs[name] = value;
  shelf("localStorage", "digit-duel", prefs);
  dispatchEvent(new Event("pref"));
}

/** Storage for this tab only. */
export const tab = (key, value) => shelf("sessionStorage", key, value);

function dress() {
  document.documentElement.dataset.theme = pref("theme");
}

/** Draw the live region: for screen readers everything, visibly only what the page shows nowhere else. */
const voice = () => paint(status, said.map(([key, text, seen], at) => h.p({ key, class: seen && at === said.length - 1 && "seen" }, text)),
  saving && h.p({ key: "saving" }, saving));

/** Announce a sentence to screen readers; with seen, also show it until the next one. */
export function speak(text, seen) {
  if (text) said = [...said, [++count, text, seen]].slice(-KEPT);
  voice();
}

export function speakSaving(text) {
  saving = text;
  voice();
}

/** Set the game on the table, { id, edition, changes }: Rules and Help then open over it. */
export const setGame = (variant) => (played = variant);

/** Show rules or help: over a game, or as a page. */
export const guide = (kind) => played ? import("./guide.js").then(({ drawer }) => drawer(kind, played)) : go(`/${kind}`);

export function hush() {
  said = [];
  speakSaving("");
}

/** Copy a text, and say so; without TLS browsers forbid it, so the answer shows the text instead. */
export const copied = (text) => Promise.resolve(navigator.clipboard?.writeText(text).then(() => "Copied."))
  .catch(() => "").then((done) => done || `Please copy this by hand: ${text}`);

export const copy = (text) => copied(text).then((done) => speak(done, true));

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

// Links within the page change only the hash.
addEventListener("popstate", () => location.pathname !== shown && show(true));
// A page restored from the back-forward cache is stale.
addEventListener("pageshow", ({ persisted }) => persisted && show());
addEventListener("pref", dress);
addEventListener("newversion", () => banner("new", "A new version is here. Your game is safe.", "Reload", () => location.reload()));
addEventListener("nocookies", () => banner("cookies", "Cookies are blocked: you can play, but you cannot resume in this browser.", "Close", () => banner("cookies")));
addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link || link.target || link.download || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const path = link.getAttribute("href");
  if (/^.(rules|help)$/.test(path)) guide(path.slice(1));
  else go(path);
});
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || !pref("letters") || busy(event)) return;
  if (event.key === "?") guide("help");
  if (event.key === "m") setPref("sound", !pref("sound"));
});
document.head.append(style);
dress();
show();
catalogue();
// Makes the page installable and lets it open offline; browsers allow it only with TLS.
navigator.serviceWorker?.register("/sw.js").catch(() => {});
