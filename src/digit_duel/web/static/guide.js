/** Rules and help, as pages and in a drawer over a game; and the page for an unknown address. */

import { capital, entitle } from "./app.js";
import { dialog } from "./parts/dialog.js";
import { nowhere } from "./parts/nowhere.js";
import { h, paint, press } from "./paint.js";
import { catalogue } from "./server.js";

const HELP = `Choosing: Tap a digit and a place, or a digit and what to do with it, in either order. A second tap takes it back.
Typing: Press / or use the menu, then type: 9 hundreds, keep, attack 7, or 9a1 for short.
A dashed edge: Your choice is on its way. When the edge is gone, it is saved. If the connection breaks, the page sends it again; it counts once.
A friend: Whoever opens your link and presses Join first plays you; everybody else can watch.
One device: Where something is hidden, the table is covered while you pass the device on.
Another device: Get a code in the settings, and enter it there.
Hints: Against the computer you can switch them on in any game: beside the table, or in the menu under Moves and hints.
Fair deals: The server seals its shuffle and every secret choice. After the game your browser can check them.
Values: ▲ wins for sure with good play, ▼ loses against good play, ◆ is even; where chance or secrets decide, you see the odds.
Keys: 0–9 pick a digit, first letters a place or an answer, x the other side. Esc undoes, H hides your hand, ← → Home End step through a game, M toggles sound, ? opens help. You can switch off single keys in the settings.`;

export function open(main, name, kind) {
  const page = { rules, help }[kind] ?? nothing;
  page(main, name);
}

/** Open the rules of the game that is played, or help, over the page. */
export async function drawer(kind, variant) {
  const game = variant.id;
  const { games, message } = await catalogue();
  const found = games?.find(({ id }) => id === game);
  const content = kind === "help" ? helpText() : found ? [special(variant), rulesText(found)] : h.p({ role: "alert" }, message);
  const title = kind === "help" ? "Help" : `Rules of ${capital(game)}`;
  await dialog(title, (close) => [h.div({ class: "prose", tabindex: "0" }, content), press("Back to the game", () => close(), { class: "primary", autofocus: true })], "drawer");
}

/** The rules that differ from the rulebook. */
export const special = ({ edition, changes = [] }) => changes.length > 0 && h.section({ class: "special", key: "special" },
  h.h3(edition ? `${capital(edition)} edition` : "House rules"),
  h.ul({ class: "sentences" }, changes.map((change) => h.li({ key: change }, change))), h.h3("Otherwise the rulebook"));

export const paragraphs = (text) => text.split("\n\n").map((part) => h.p(part));

const TIPS = "What pays: ";

const sentences = (text) => text.split(/(?<=\.) (?=[A-Z])/);
const list = (lines) => h.ul({ class: "sentences" }, lines.map((line) => h.li({ key: line }, line)));
const tips = (text) => text.slice(TIPS.length).replace(/\.$/, "").split(/, (?:and )?/).map((tip) => `${capital(tip)}.`);

/** The rules of a game: its goal, then one sentence per line, then tips. */
function rulesText({ rules: text }) {
  const [goal, ...parts] = text.replaceAll(/(?<!\n)\n(?!\n)/g, " ").split("\n\n");
  return [h.p({ class: "lead" }, goal), parts.map((part) => (part.startsWith(TIPS) ? [h.p(h.b("What pays")), list(tips(part))] : list(sentences(part))))];
}

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
      h.p({ class: "buttons" }, h.a({ class: "button primary", href: `/new/${game.id}` }, "Play it"), h.a({ class: "button", href: `/learn/${game.id}` }, "Learn it"), h.a({ class: "button", href: `/analysis/${game.id}` }, "Analysis board"))));
}

function help(main) {
  entitle("Help");
  paint(main, h.div({ class: "prose" }, h.h1("Help"), h.h2("At the table"), helpText()));
}

function nothing(main) {
  entitle("Nothing here");
  paint(main, nowhere("Nothing here", "There is no page at this address. It may be mistyped, or the link may be incomplete.",
    h.a({ key: "help", class: "button", href: "/help" }, "Help")));
}
