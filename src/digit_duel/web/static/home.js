/** The pages before a game: home, the invitation, the rules, and help. */

import { capital, entitle, go, pref, setPref, tab } from "./app.js";
import { h, paint, press } from "./paint.js";
import { catalogue, entry, get, known, sit } from "./server.js";

const STARTS = { coin: "Toss a coin", me: "Me", other: "The other" };
const MATCHES = ["single games", "first to 2", "first to 3", "best of 3", "best of 5"];
const HELP = `Choosing: Tap a digit and a place, or a digit and what to do with it, in either order. A second tap takes it back.
Typing: Below the table you can type a choice as in the terminal: 9 hundreds, keep, attack 7, or in notation 9a1.
Saved ✓: Then a choice counts. If the connection breaks, the page sends it until it is saved, exactly once.
A friend: Whoever opens your link and presses Join first plays you; everybody else can watch.
One device: Where something is hidden, the table is covered while you pass the device on.
Another device: A code from the settings brings your games there.
Fair deals: The server seals its shuffle and every secret choice. After the game the seals are opened, and your browser can check them.
Values: ▲ is a win by force, ▼ a loss, ◆ even; where chance or secrets decide, you see the odds.
Keys: 0–9 pick a digit, first letters a place or an answer, x the other side. Esc takes back, H hides your hand, ← and → step through an analysis, M is sound, ? this page. The settings switch single keys off.`;

export function open(main, name, kind) {
  const page = { j: invitation, rules, help }[kind] ?? home;
  page(main, name);
}

/** Open a game, take one seat or on one device both, and go there. */
export async function begin(wish) {
  const opened = await known("/api/games", wish);
  if (!opened.game) return opened;
  if (opened.invite) tab(`invite ${opened.game}`, opened.invite);
  const seats = wish.opponent === "same_device" ? [0, 1] : [opened.seat];
  for (const [at, seat] of seats.entries()) {
    const joined = await sit(opened.game, pref(["name", "other"][at]) || `Player ${at + 1}`, seat);
    if (joined.code !== "ok") return joined;
  }
  go(`/g/${opened.game}`);
  return opened;
}

const named = (label, name, usual) => h.label(label, h.input({ name, value: pref(name), maxlength: 24, autocomplete: "nickname", placeholder: usual }));

async function home(main, wanted) {
  let [shelf, games, problem, busy] = [{}, [], "", false];
  get("/api/me").then((me) => {
    games = me.games ?? [];
    draw();
  });
  shelf = await catalogue();
  problem = shelf.message;
  draw();

  function draw() {
    paint(main, h.h1({ class: "hero" }, "A duel of digits"),
      h.p({ class: "lead" }, "Short games for two with a handful of digits."),
      h.p({ class: "problem", role: "alert" }, problem),
      games.length > 0 && yours(games),
      shelf.games && form());
  }

  async function start(opponent, game, fields) {
    if (busy) return; // a double click is one click
    busy = true;
    for (const name of ["name", "other", "start", "level"]) setPref(name, fields.get(name));
    const settings = Object.fromEntries(game.options.map(({ name, default: usual }) => [name, fields.get(`set ${name}`).trim(), usual])
      .filter(([, value, usual]) => value && value !== usual));
    const [match, alone] = [fields.get("match"), opponent === "computer"];
    const answer = await begin({
      variant: game.id, settings, opponent, start: fields.get("start"), level: alone ? fields.get("level") : null,
      hints: alone && fields.has("hints"), match: match === MATCHES[0] ? null : match,
    });
    busy = false;
    problem = answer.game ? "" : answer.message;
    draw();
  }

  function pick(id) {
    wanted = id;
    setPref("game", id);
    draw();
  }

  function form() {
    const game = shelf.games.find(({ id }) => id === (wanted ?? pref("game"))) ?? shelf.games[0];
    const level = pref("level") || shelf.levels.at(-2).id;
    const against = (opponent, label, props) => press(label, (event) => start(opponent, game, new FormData(event.target.form)), { class: "big", ...props });
    return h.form({ class: "start", onsubmit: (event) => event.preventDefault() },
      h.fieldset({ class: "shelf" }, h.legend("Pick a game"), shelf.games.map(({ id, summary }, at) => h.label({ key: id, class: "card" },
        h.input({ type: "radio", name: "game", checked: id === game.id, onchange: () => pick(id) }),
        h.span({ class: "tile", "aria-hidden": "true" }, at + 1), h.span(h.b(capital(id)), " ", h.span({ class: "soft" }, summary))))),
      h.div({ class: "panel against" },
        h.h2(`Play ${capital(game.id)}`),
        against("computer", "Play the computer", { class: "primary big", type: "submit" }),
        against("friend", "Invite a friend"),
        against("same_device", "Two on this device"),
        h.label("Level of the computer", h.select({ name: "level" }, shelf.levels.map(({ id, about }) =>
          h.option({ value: id, selected: id === level }, `${capital(id)}: ${about}`)))),
        h.fieldset({ class: "inline" }, h.legend("Who starts"), Object.entries(STARTS).map(([value, label]) => h.label(
          h.input({ type: "radio", name: "start", value, checked: pref("start") === value }), label))),
        named("Your name", "name", "Player 1"),
        more(game)));
  }
}

function yours(games) {
  const over = ({ phase }) => phase === "over";
  const shown = [...games.filter((game) => !over(game)), ...games.filter(over).slice(0, 3)];
  return h.section({ class: "yours" }, h.h2("Your games"), h.ul(shown.map(({ game, variant, names, phase, your_turn: turn, result }) => h.li({ key: game },
    h.a({ href: `/g/${game}` }, h.b(capital(variant)), h.bdi(names.filter(Boolean).join(" – ")),
      h.span({ class: turn ? "badge on" : "badge" }, result ?? (phase !== "playing" ? phase : turn ? "your turn ▸" : "their turn")))))));
}

const more = ({ id, options }) => h.details(h.summary("More options"),
  named("Second name on this device", "other", "Player 2"),
  h.label("Match", h.select({ name: "match" }, MATCHES.map((match) => h.option(match)))),
  h.label({ class: "check" }, h.input({ type: "checkbox", name: "hints" }), "Hints against the computer"),
  h.h3("House rules"),
  options.map(({ name, default: usual, help: about }) => h.label({ key: id + name }, capital(about || name), h.input({ name: `set ${name}`, value: usual }))),
  h.p(h.a({ href: `/rules/${id}` }, "Rules"), " · ", h.a({ href: `/analysis/${id}` }, "Analysis board")));

async function invitation(main, id) {
  const secret = location.hash.slice(1);
  const view = await get(`/api/games/${id}?as=watcher`);
  const game = await entry(view.variant?.id);
  let [problem, taken] = ["", view.phase !== "waiting"];
  draw();

  async function join(event) {
    event.preventDefault();
    setPref("name", new FormData(event.target).get("name").trim());
    const answer = await sit(id, pref("name") || "Player 2", null, secret);
    if (answer.code === "ok") {
      history.replaceState(null, "", "/"); // the secret leaves the address and the history
      return go(`/g/${id}`);
    }
    problem = answer.message;
    taken ||= answer.code === "seat_taken";
    draw();
  }

  function draw() {
    if (!game) return paint(main, h.h1("No game here"), h.p({ role: "alert" }, view.message));
    const host = view.players.find((player) => player.name)?.name ?? "Somebody";
    const watch = h.a({ class: "button", href: `/g/${id}` }, taken ? "Watch instead" : "Just watch");
    entitle(`${host} invites you`);
    paint(main, h.div({ class: "prose" },
      h.h1(h.bdi(host), ` invites you to ${capital(game.id)}`),
      h.p({ class: "lead" }, game.summary),
      h.p({ class: "problem", role: "alert" }, problem),
      view.seats.length > 0 ? h.p("This is your own invitation: send it to a friend. ", h.a({ href: `/g/${id}` }, "To the game"))
        : taken ? [h.p("This seat is taken. If it is yours, enter your resume code in the settings."), watch]
        : h.form({ onsubmit: join }, named("Your name", "name", "Player 2"), h.div({ class: "buttons" }, h.button({ class: "primary big" }, "Join"), watch)),
      h.h2("Rules in short"), paragraphs(game.rules).slice(0, 2)));
  }
}

const paragraphs = (text) => text.split("\n\n").map((part) => h.p(part));

async function rules(main, wanted) {
  const { games, message } = await catalogue();
  if (!games) return paint(main, h.h1("Rules"), h.p({ role: "alert" }, message));
  const { id, summary, rules: text } = games.find((game) => game.id === wanted) ?? games[0];
  entitle(`Rules of ${capital(id)}`);
  paint(main, h.h1(`Rules of ${capital(id)}`),
    h.nav({ class: "tabs", "aria-label": "Games" }, games.map((game) =>
      h.a({ key: game.id, href: `/rules/${game.id}`, "aria-current": game.id === id && "page" }, capital(game.id)))),
    h.div({ class: "prose" }, h.p({ class: "lead" }, summary), paragraphs(text),
      h.p({ class: "buttons" }, h.a({ class: "button primary", href: `/new/${id}` }, "Play it"), h.a({ class: "button", href: `/analysis/${id}` }, "Analysis board"))));
}

function help(main) {
  entitle("Help");
  paint(main, h.div({ class: "prose" }, h.h1("Help"),
    HELP.split("\n").map((part) => part.split(/: (.*)/)).map(([title, text]) => [h.h2(title), h.p(text)]),
    h.h2("In the terminal"), h.p("The same games, the same notation: ", h.code("digit-duel play"))));
}
