/** The rulebooks, and how to play with this page. */

import { catalogue } from "./api.js";
import { h, paint } from "./paint.js";
import { capital } from "./speak.js";

const HELP = `Choosing: Tap a digit and a place, or a digit and what to do with it, in either order. A second tap takes it back. With “Confirm moves” in the settings nothing is sent before you press Play.
Typing: Below the table you can type a choice as in the terminal: 9 hundreds, keep, attack 7, or in notation 9a1.
Saved ✓: A choice counts when the page says Saved ✓. If the connection breaks, the page keeps your choice and sends it until it is saved, exactly once.
A friend: Send the link or show the picture. Whoever presses Join first plays you; everybody else can watch.
Two on one device: Where something is hidden, the table is covered while you pass the device on.
Another device: In the settings, “Get a code” gives you a code for ten minutes. Enter it on the other device, and your games are there.
Fair deals: Before anybody sits down the server seals its shuffle, and every secret choice is sealed too. After the game all seals are opened, and your own browser can check them.
Values: On the analysis board ▲ means a win by force, ▼ a loss, ◆ even. Where chance or secrets decide, you see the odds.`;

const KEYS = { "0 – 9": "a digit", "h, te, k": "the first letters of a place or an answer", x: "the other side, where both are open", Esc: "take back the first half of a choice", H: "hide or show your hand", "← →": "one move back or forth on the analysis board", M: "sound on or off", "?": "this page" };

export function open(main, wanted) {
  if (location.pathname === "/help") return help(main);
  catalogue().then(({ games, message }) => {
    if (!games) return paint(main, h.h1("Rules"), h.p({ role: "alert" }, message));
    const { id, summary, rules } = games.find((game) => game.id === wanted) ?? games[0];
    document.title = `Rules of ${capital(id)} – Digit Duel`;
    paint(main, h.h1(`Rules of ${capital(id)}`),
      h.nav({ class: "tabs", "aria-label": "Games" }, games.map((game) =>
        h.a({ key: game.id, href: `/rules/${game.id}`, "aria-current": game.id === id && "page" }, capital(game.id)))),
      h.div({ class: "prose" }, h.p({ class: "lead" }, summary), rules.split("\n\n").map((text) => h.p(text)),
        h.p({ class: "buttons" }, h.a({ class: "button primary", href: `/new/${id}` }, "Play it"), h.a({ class: "button", href: `/analysis/${id}` }, "Analysis board"))));
  });
}

function help(main) {
  document.title = "Help – Digit Duel";
  paint(main, h.div({ class: "prose" }, h.h1("Help"),
    HELP.split("\n").map((part) => part.split(": ")).map(([title, ...text]) => [h.h2(title), h.p(text.join(": "))]),
    h.h2("Keys"), h.p("Single keys can be switched off in the settings."),
    h.dl({ class: "keys" }, Object.entries(KEYS).map(([key, what]) => [h.dt(h.kbd(key)), h.dd(what)])),
    h.h2("In the terminal"), h.p("The same games and the same notation: ", h.code("digit-duel play"))));
}
