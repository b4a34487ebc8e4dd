/** The home page: your games, and one click to a new one. */

import { catalogue, get, post, session, sit } from "./api.js";
import { go } from "./app.js";
import { h, paint, press } from "./paint.js";
import { pref, setPref, tab } from "./settings.js";
import { capital } from "./speak.js";

const STARTS = [["coin", "Toss a coin"], ["me", "Me"], ["other", "The other"]];
const MATCHES = ["single games", "first to 2", "first to 3", "best of 3", "best of 5"];

/** Open a game as wished, take one seat or on one device both, and go there; else the answer says why not. */
export async function begin(wish) {
  const known = await session();
  const opened = known.code === "ok" ? await post("/api/games", wish) : known;
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

export function open(main, wanted) {
  let [shelf, games, problem, busy] = [null, [], "", false];
  const draw = () => paint(main,
    h.h1({ class: "hero" }, "A duel of digits"),
    h.p({ class: "lead" }, "Short games for two with a handful of digits. Play the computer, a friend far away, or each other on one device."),
    h.p({ class: "problem", role: "alert" }, problem),
    games.length > 0 && yours(games),
    shelf && form());

  catalogue().then((found) => {
    if (found.code === "ok") shelf = found;
    else problem = found.message;
    draw();
  });
  get("/api/me").then((me) => {
    games = me.games ?? [];
    draw();
  });

  async function start(opponent, game, fields) {
    if (busy) return; // a double click is one click
    busy = true;
    for (const name of ["name", "other", "start", "level"]) setPref(name, fields.get(name));
    const settings = Object.fromEntries(game.options.map(({ name, default: usual }) => [name, fields.get(`set ${name}`).trim(), usual])
      .filter(([, value, usual]) => value && value !== usual));
    const match = fields.get("match");
    const answer = await begin({
      variant: game.id, settings, opponent, level: opponent === "computer" ? fields.get("level") : null, start: fields.get("start"),
      hints: opponent === "computer" && fields.has("hints"), match: match === MATCHES[0] ? null : match,
    });
    busy = false;
    problem = answer.game ? "" : answer.message;
    draw();
  }

  function form() {
    const game = shelf.games.find(({ id }) => id === (wanted ?? pref("game"))) ?? shelf.games[0];
    const level = pref("level") || shelf.levels.at(-2).id;
    const against = (opponent, label) => press(label, (event) => start(opponent, game, new FormData(event.target.form)), { class: "big" });
    return h.form({ class: "start", onsubmit: (event) => { event.preventDefault(); start("computer", game, new FormData(event.target)); } },
      h.fieldset({ class: "shelf" }, h.legend("Pick a game"), shelf.games.map(({ id, summary }, at) => h.label({ key: id, class: "card" },
        h.input({ type: "radio", name: "game", value: id, checked: id === game.id, onchange: () => { wanted = id; setPref("game", id); draw(); } }),
        h.span({ class: "tile", "aria-hidden": "true" }, at + 1), h.span(h.b(capital(id)), " ", h.span({ class: "soft" }, summary))))),
      h.div({ class: "panel against" },
        h.h2(`Play ${capital(game.id)}`),
        h.button({ class: "primary big" }, "Play the computer"),
        against("friend", "Invite a friend"),
        against("same_device", "Two on this device"),
        h.label("Level of the computer", h.select({ name: "level" }, shelf.levels.map(({ id, about }) =>
          h.option({ value: id, selected: id === level }, `${capital(id)}: ${about}`)))),
        h.fieldset({ class: "inline" }, h.legend("Who starts"), STARTS.map(([value, label]) => h.label(
          h.input({ type: "radio", name: "start", value, checked: pref("start") === value }), label))),
        h.label("Your name", h.input({ name: "name", value: pref("name"), maxlength: 24, autocomplete: "nickname", placeholder: "Player 1" })),
        more(game)));
  }

  return () => (main = document.createElement("main")); // what comes late is drawn nowhere
}

function yours(games) {
  const shown = [...games.filter(({ phase }) => phase !== "over"), ...games.filter(({ phase }) => phase === "over").slice(0, 3)];
  return h.section({ class: "yours" }, h.h2("Your games"), h.ul(shown.map(({ game, variant, names, phase, your_turn, result }) => h.li({ key: game },
    h.a({ href: `/g/${game}` }, h.b(capital(variant)), h.bdi(names.filter(Boolean).join(" – ")),
      h.span({ class: your_turn ? "badge on" : "badge" }, result ?? (phase !== "playing" ? phase : your_turn ? "your turn ▸" : "their turn")))))));
}

const more = (game) => h.details(h.summary("More options"),
  h.label("Second name, for two on this device", h.input({ name: "other", value: pref("other"), maxlength: 24, autocomplete: "off", placeholder: "Player 2" })),
  h.label("Match", h.select({ name: "match" }, MATCHES.map((match) => h.option(match)))),
  h.label({ class: "check" }, h.input({ type: "checkbox", name: "hints" }), "Hints against the computer"),
  h.h3("House rules"),
  game.options.map(({ name, default: usual, help }) => h.label({ key: `${game.id} ${name}` }, help ? capital(help) : name, h.input({ name: `set ${name}`, value: usual, autocomplete: "off" }))),
  h.p(h.a({ href: `/rules/${game.id}` }, "Rules"), " · ", h.a({ href: `/analysis/${game.id}` }, "Analysis board")));
