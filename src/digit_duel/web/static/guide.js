/** Rules and help, as pages and in a drawer over a game; and the page of an address that leads nowhere. */

import { capital, entitle } from "./app.js";
import { dialog } from "./dialog.js";
import { h, paint, press } from "./paint.js";
import { catalogue } from "./server.js";

const HELP = `Choosing: Tap a digit and a place, or a digit and what to do with it, in either order. A second tap takes it back.
Typing: You can also type a choice below the table: 9 hundreds, keep, attack 7, or in notation 9a1.
Saved ✓: Then a choice counts. If the connection breaks, the page sends it again; it counts once.
A friend: Whoever opens your link and presses Join first plays you; everybody else can watch.
One device: Where something is hidden, the table is covered while you pass the device on.
Another device: Get a code in the settings, and enter it there.
Hints: Against the computer you can switch them on beside the table, in any game.
Fair deals: The server seals its shuffle and every secret choice. After the game your browser can check them.
Values: ▲ is a win by force, ▼ a loss, ◆ even; where chance or secrets decide, you see the odds.
Keys: 0–9 pick a digit, first letters a place or an answer, x the other side. Esc takes back, H hides your hand, ← → Home End step through a game, M is sound, ? this page. The settings switch single keys off.`;

export function open(main, name, kind) {
  const page = { rules, help }[kind] ?? nothing;
  page(main, name);
}

/** Open the rules of a game, or help, over the page. */
export async function drawer(kind, game) {
  const { games, message } = await catalogue();
  const found = games?.find(({ id }) => id === game);
  const content = kind === "help" ? helpText() : found ? rulesText(found) : h.p({ role: "alert" }, message);
  const title = kind === "help" ? "Help" : `Rules of ${capital(game)}`;
  await dialog(title, (close) => [h.div({ class: "prose", tabindex: "0" }, content), press("Back to the game", () => close(), { class: "primary", autofocus: true })], "drawer");
}

export const paragraphs = (text) => text.split("\n\n").map((part) => h.p(part));

const rulesText = ({ summary, rules: text }) => [h.p({ class: "lead" }, summary), paragraphs(text)];

const helpText = () => [
  HELP.split("\n").map((part) => part.split(/: (.*)/)).map(([title, text]) => [h.h3(title), h.p(text)]),
  h.h3("In the terminal"), h.p("The same games, the same notation: ", h.code("digit-duel play")),
];

async function rules(main, wanted) {
  const { games, message } = await catalogue();
  if (!games) return paint(main, h.h1("Rules"), h.p({ role: "alert" }, message));
  const game = wanted ? games.find(({ id }) => id === wanted) : games[0];
  if (!game) return nothing(main);
  entitle(`Rules of ${capital(game.id)}`);
  paint(main, h.h1(`Rules of ${capital(game.id)}`),
    h.nav({ class: "tabs", "aria-label": "Games" }, games.map(({ id }) =>
      h.a({ key: id, href: `/rules/${id}`, "aria-current": id === game.id && "page" }, capital(id)))),
    h.div({ class: "prose" }, rulesText(game),
      h.p({ class: "buttons" }, h.a({ class: "button primary", href: `/new/${game.id}` }, "Play it"), h.a({ class: "button", href: `/analysis/${game.id}` }, "Analysis board"))));
}

function help(main) {
  entitle("Help");
  paint(main, h.div({ class: "prose" }, h.h1("Help"), h.h2("At the table"), helpText()));
}

function nothing(main) {
  entitle("Nothing here");
  paint(main, h.div({ class: "prose" }, h.h1("Nothing here"),
    h.p("This address leads nowhere. It may be mistyped, or the link may be incomplete."),
    h.p({ class: "buttons" }, h.a({ class: "button primary", href: "/" }, "To the games"), h.a({ class: "button", href: "/help" }, "Help"))));
}
