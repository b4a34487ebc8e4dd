/** The rulebooks. */

import { catalogue } from "./api.js";
import { h, paint } from "./paint.js";
import { capital } from "./words.js";

export function open(main, wanted) {
  catalogue().then((shelf) => {
    if (shelf.code !== "ok") return paint(main, h("h1", null, "Rules"), h("p", { role: "alert" }, shelf.message));
    const game = shelf.games.find(({ id }) => id === wanted) ?? shelf.games[0];
    document.title = `Rules of ${capital(game.id)} – Digit Duel`;
    paint(main,
      h("h1", null, `Rules of ${capital(game.id)}`),
      h("nav", { class: "tabs", "aria-label": "Rules of" }, shelf.games.map(({ id }) =>
        h("a", { key: id, href: `/rules/${id}`, "aria-current": id === game.id ? "page" : undefined }, capital(id)))),
      h("article", { class: "prose", key: game.id },
        h("p", { class: "lead" }, game.summary),
        game.rules.split("\n\n").map((text) => h("p", null, text.replaceAll("\n", " "))),
        h("p", { class: "buttons" },
          h("a", { class: "button primary", href: `/new/${game.id}` }, "Play it"),
          h("a", { class: "button", href: `/analysis/${game.id}` }, "Analysis board"))));
  });
}
