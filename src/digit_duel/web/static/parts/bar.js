/** The top bar of every page: the link back, the title, the rules, and the menu.
 *
 * setBar({ title, note, back, items }) is called by a page when it opens, and again to change the bar:
 *   title  the game, in bold              note   the opponent or the round, after it
 *   back   whether to show an arrow back instead of the logo
 *   then   whether the page shows an earlier position
 *   items  () => the page's own menu entries, called when the menu opens
 * entry(label, act) makes an entry, which closes the menu before it acts.
 */

import { go, guide, pref, setPref } from "../app.js";
import { h, paint, press } from "../paint.js";
import { dialog } from "./dialog.js";

const [home, where, button] = [".home", ".where", "#menu"].map((part) => document.querySelector(`#bar ${part}`));
const logo = h.img({ src: home.querySelector("img").getAttribute("src"), alt: "", width: 28, height: 28 });
let own = () => [];
let close = () => {};

export function setBar({ title = "Digit Duel", note = "", back = false, then = false, items = () => [] } = {}) {
  own = items;
  where.parentElement.classList.toggle("then", then);
  paint(where, back ? h.h1(title) : h.b(title), h.span(note));
  paint(home, back ? h.span({ class: "arrow", "aria-hidden": "true" }, "‹") : logo);
  home.setAttribute("aria-label", back ? "Back to all games" : "Digit Duel: all games");
}

export const entry = (label, act, props) => press(label, () => {
  close();
  act();
}, props);

function common() {
  return [
    entry("Your games", () => go("/games")),
    entry("Help", () => guide("help")),
    entry(pref("sound") ? "Switch sound off" : "Switch sound on", () => setPref("sound", !pref("sound"))),
    entry("Settings", () => import("../settings.js").then(({ openSettings }) => openSettings())),
  ];
}

button.onclick = () => dialog("Menu", (done) => {
  close = done;
  const mine = own().flat(9).filter(Boolean);
  return h.div({ class: "scrolls" }, mine, mine.length > 0 && h.hr(), common());
}, "menu");
