/** How to play with this page. */

import { h, paint } from "./paint.js";

const KEYS = [
  ["0 – 9", "pick a digit"],
  ["first letters of a place or an answer", "pick it: h, te, k for keep"],
  ["x", "point at the other side, where both are open"],
  ["Esc", "take back the first half of a choice"],
  ["H", "hide or show your hand"],
  ["← →", "one move back or forth on the analysis board"],
  ["M", "sound on or off"],
  ["?", "this page"],
];

const PARTS = [
  ["Choosing", "Tap a digit and a place in either order, or a digit and what to do with it. A second tap on the same thing takes it back. With “Confirm moves” in the settings, nothing is sent before you press Play."],
  ["Typing", "Below the table you can type a choice as in the terminal: 9 hundreds, keep, attack 7, or in notation 9a1."],
  ["Saved ✓", "A choice counts when the page says Saved ✓. If the connection breaks, the page keeps your choice and sends it until it is saved, exactly once."],
  ["A friend", "Send the link or show the picture. Whoever presses Join first plays you; everybody else can watch."],
  ["Two on one device", "Where something is hidden, the table is covered while you pass the device on."],
  ["Another device", "Settings, “Get a code” gives you a code for ten minutes. Type it on the other device, and your games are there."],
  ["Fair deals", "Before the first card the server seals its shuffle, and every secret choice is sealed too. After the game all seals are opened, and “Check it” computes them again in your own browser."],
  ["Values", "On the analysis board ▲ means a win by force, ▼ a loss, ◆ even; where chance or secrets decide, you see the odds."],
];

export function open(main) {
  document.title = "Help – Digit Duel";
  paint(main, h("h1", null, "Help"), h("div", { class: "prose" },
    PARTS.map(([title, text]) => [h("h2", null, title), h("p", null, text)]),
    h("h2", null, "Keys"),
    h("p", null, "Single keys can be switched off in the settings."),
    h("dl", { class: "keys" }, KEYS.map(([key, what]) => [h("dt", null, h("kbd", null, key)), h("dd", null, what)])),
    h("h2", null, "In the terminal"),
    h("p", null, "The same games, the same notation: ", h("code", null, "digit-duel play"))));
}
