/** The shell: shows the page of the address, the banners that concern all pages, and the settings. */

import { h, paint } from "./paint.js";
import { pref, setPref } from "./prefs.js";
import { find, go } from "./route.js";
import { hush } from "./speak.js";

const main = document.getElementById("main");
const banners = new Map();
let close = null;
let turn = 0; // which visit this is: a page that loads late must not overwrite a later one

async function show(moved) {
  const visit = ++turn;
  close?.();
  close = null;
  hush();
  const found = find(location.pathname);
  const page = found && (await found.load().catch(() => null));
  if (visit !== turn) return;
  paint(main);
  document.title = "Digit Duel";
  scrollTo(0, 0);
  if (moved) main.focus({ preventScroll: true });
  if (page) close = page.open(main, found.name) ?? null;
  else if (found) banner("load", "This page could not be loaded.", "Reload", () => location.reload());
  else paint(main, h("h1", null, "There is nothing here"), h("p", null, h("a", { href: "/" }, "To the games")));
}

/** Show a message that stays, with one thing to do about it. */
function banner(key, text, label, act) {
  banners.set(key, h("p", { key, class: "banner" }, text, h("button", { type: "button", onclick: act }, label)));
  paint(document.getElementById("banners"), ...banners.values());
}

function unbanner(key) {
  banners.delete(key);
  paint(document.getElementById("banners"), ...banners.values());
}

function dress() {
  document.documentElement.dataset.theme = pref("theme");
  const sound = document.getElementById("sound");
  sound.setAttribute("aria-pressed", pref("sound"));
}

addEventListener("popstate", (event) => show(event.state?.moved ?? true));
addEventListener("pageshow", (event) => event.persisted && show(false)); // the server is asked first, not the cache
addEventListener("pref", dress);
addEventListener("newversion", () => banner("new", "A new version is here. Your game is safe.", "Reload", () => location.reload()));
addEventListener("nocookies", () =>
  banner("cookies", "Cookies are blocked: you can play, but you cannot resume in this browser.", "Understood", () => unbanner("cookies")));

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

document.addEventListener("keydown", (event) => {
  if (!pref("letters") || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (event.key === "?") go("/help");
  else if (event.key === "m" && !event.defaultPrevented) setPref("sound", !pref("sound"));
});

document.getElementById("sound").onclick = () => setPref("sound", !pref("sound"));
document.getElementById("settings").onclick = async () => (await import("./settings.js")).openSettings();

dress();
show(false);
