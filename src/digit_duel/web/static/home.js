/** Home: the form that starts a game, and your games. */

import { capital, go, pref, setPref, startForm, tab } from "./app.js";
import { h, paint } from "./paint.js";
import { catalogue, get, sit } from "./server.js";

const { elements: fields } = startForm;
// The server commits itself to it before it knows our seed.
let deal = null;

/** Start a game with a seat, or on one device with both, and go there. */
export async function begin(wish) {
  const [name, other] = ["name", "other"].map((each, at) => pref(each) || `Player ${at + 1}`);
  const { game, seal } = (deal ??= (await get("/api/me")).deal) ?? {};
  const started = await sit("/api/games", { ...wish, name, second_name: other, game });
  if (started.code !== "offline") deal = null;
  if (!started.game) return started;
  if (started.seal !== seal) return { message: "The server has changed the deal." };
  if (started.invite) tab(`invite ${started.game}`, started.invite);
  go(`/g/${started.game}`);
  return started;
}

/** Fill in what was chosen last time, where nobody was quicker. */
for (const name of ["game", "level", "start", "name", "other"]) {
  const usual = startForm.querySelector(`[name=${name}]:default, [name=${name}] :default`)?.value ?? "";
  if (fields[name].value !== usual) continue;
  fields[name].value = pref(name);
  fields[name].value ||= usual;
}

export function open(main, wanted) {
  home(main, wanted);
}

async function home(main, wanted) {
  let [shelf, games, problem, busy] = [{}, [], "", false];
  if (!main.contains(startForm)) main.append(document.createElement("div"), startForm);
  if (wanted) fields.game.value = wanted;
  const [top, title, house] = [main.firstElementChild, ...["h2", ".house"].map((part) => startForm.querySelector(part))];
  const early = startForm.querySelector("[aria-pressed]");
  startForm.onchange = ({ target }) => {
    if (target.name === "game") setPref("game", target.value);
    draw();
  };
  startForm.onsubmit = (event) => {
    event.preventDefault();
    start(event.submitter.value);
  };
  draw();
  if (early) {
    early.ariaPressed = null;
    start(early.value);
  }
  get("/api/me").then((me) => {
    [games, deal] = [me.games ?? [], me.deal];
    draw();
  });
  shelf = await catalogue();
  problem ||= shelf.message;
  draw();
  // Needed next; whoever goes there sees what failed.
  import("./game.js").catch(() => {});

  function draw() {
    const game = chosen();
    paint(top, h.h1({ class: "hero" }, "A duel of digits"),
      h.p({ class: "lead" }, "Short games for two with a handful of digits."),
      h.p({ class: "problem", role: "alert" }, problem),
      games.length > 0 && yours(games));
    paint(title, `Play ${capital(fields.game.value)}`);
    paint(house, game && rulesOf(game));
  }

  function chosen() {
    return shelf.games?.find(({ id }) => id === fields.game.value);
  }

  async function start(opponent) {
    // A double click is one click.
    if (busy) return;
    busy = true;
    for (const name of ["name", "other", "start", "level"]) setPref(name, fields[name].value);
    const answer = await begin(wished(opponent, chosen()?.options ?? []));
    busy = false;
    problem = answer.game ? "" : answer.message;
    draw();
  }
}

/** The game that the form describes; house rules that are as usual go without saying. */
function wished(opponent, options) {
  const form = new FormData(startForm);
  const settings = Object.fromEntries(options.map(({ name, default: usual }) => [name, form.get(`set ${name}`).trim(), usual])
    .filter(([, value, usual]) => value && value !== usual));
  const alone = opponent === "computer";
  return {
    variant: form.get("game"), settings, opponent, start: form.get("start"), level: alone ? form.get("level") : null,
    hints: alone && form.has("hints"), match: form.get("match") || null,
  };
}

const rulesOf = ({ id, options }) => [h.h3("House rules"),
  options.map(({ name, default: usual, help: about }) => h.label({ key: id + name }, capital(about || name), h.input({ name: `set ${name}`, value: usual }))),
  h.p(h.a({ href: `/rules/${id}` }, "Rules"), " · ", h.a({ href: `/analysis/${id}` }, "Analysis board"))];

function yours(games) {
  const over = ({ phase }) => phase === "over";
  const shown = [...games.filter((game) => !over(game)), ...games.filter(over).slice(0, 3)];
  return h.section({ class: "yours" }, h.h2("Your games"), h.ul(shown.map(({ game, variant, names, phase, your_turn: turn, result }) => h.li({ key: game },
    h.a({ href: `/g/${game}` }, h.b(capital(variant)), h.bdi(names.filter(Boolean).join(" – ")),
      h.span({ class: turn ? "badge on" : "badge" }, result ?? (phase !== "playing" ? phase : turn ? "your turn ▸" : "their turn")))))));
}
