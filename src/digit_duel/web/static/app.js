/** The shell: the page of an address, and what concerns all pages. */

import { h, paint, press } from "./paint.js";
import { openSettings, pref, setPref } from "./settings.js";
import { hush } from "./speak.js";

const PAGES = [
  [/^\/(?:new\/([\w-]+))?$/, () => import("./home.js")],
  [/^\/g\/([\w-]+)(?:\/result)?$/, () => import("./game.js")],
  [/^\/j\/([\w-]+)$/, () => import("./invite.js")],
  [/^\/(?:g\/([\w-]+)\/analysis|analysis\/([\w-]+))$/, () => import("./analysis.js")],
  [/^\/verify\/([\w-]+)$/, () => import("./verify.js")],
  [/^\/(?:rules(?:\/([\w-]+))?|help)$/, () => import("./guide.js")],
];
const [main, sound, settings] = ["main", "sound", "settings"].map((id) => document.getElementById(id));
const banners = {};
let close = null;
let visits = 0; // a page that loads late must not overwrite a later one

/** Go to another page. */
export function go(path) {
  history.pushState(null, "", path);
  show(true);
}

async function show(moved) {
  const visit = ++visits;
  close?.();
  close = null;
  hush();
  document.title = "Digit Duel";
  const [found, load] = PAGES.map(([pattern, load]) => [pattern.exec(location.pathname), load]).find(([found]) => found) ?? [];
  const page = load && (await load().catch(() => banner("load", "This page could not be loaded.", "Reload", () => location.reload())));
  if (visit !== visits) return;
  paint(main, !page && [h.h1("There is nothing here"), h.a({ href: "/" }, "To the games")]);
  scrollTo(0, 0);
  if (moved) main.focus({ preventScroll: true });
  close = page?.open(main, found[1] ?? found[2]);
}

/** Show or hide a message that stays, with one thing to do about it. */
function banner(key, text, label, act) {
  banners[key] = text && h.p({ key, class: "banner" }, text, press(label, act));
  paint(document.getElementById("banners"), Object.values(banners));
}

function dress() {
  document.documentElement.dataset.theme = pref("theme");
  sound.setAttribute("aria-pressed", pref("sound"));
}

addEventListener("popstate", () => show(true));
addEventListener("pageshow", ({ persisted }) => persisted && show()); // the server is asked first, not the cache
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

/** Whether a key is meant for a field, a window or the browser. */
export const busy = (event) =>
  event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea, dialog *");

sound.onclick = () => setPref("sound", !pref("sound"));
settings.onclick = openSettings;
dress();
show();
