/** The pages before a game: home and the invitation. */

import { capital, entitle, go, pref, setPref, startForm, tab } from "./app.js";
import { paragraphs } from "./guide.js";
import { h, paint } from "./paint.js";
import { catalogue, get, sit } from "./server.js";

const { elements: fields } = startForm;
// The server commits itself to it before it knows our seed.
let deal = null;

export function open(main, name, kind) {
  const page = kind === "j" ? invitation : home;
  page(main, name);
}

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
    const wish = new FormData(startForm);
    for (const name of ["name", "other", "start", "level"]) setPref(name, wish.get(name));
    const settings = Object.fromEntries((chosen()?.options ?? []).map(({ name, default: usual }) => [name, wish.get(`set ${name}`).trim(), usual])
      .filter(([, value, usual]) => value && value !== usual));
    const alone = opponent === "computer";
    const answer = await begin({
      variant: wish.get("game"), settings, opponent, start: wish.get("start"), level: alone ? wish.get("level") : null,
      hints: alone && wish.has("hints"), match: wish.get("match") || null,
    });
    busy = false;
    problem = answer.game ? "" : answer.message;
    draw();
  }
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

async function invitation(main, id) {
  const secret = location.hash.slice(1);
  const view = await get(`/api/games/${id}?as=watcher`);
  const game = (await catalogue()).games?.find(({ id }) => id === view.variant?.id);
  let [problem, taken] = ["", view.phase !== "waiting"];
  draw();

  async function join(event) {
    event.preventDefault();
    setPref("name", new FormData(event.target).get("name").trim());
    const answer = await sit(`/api/games/${id}/join`, { name: pref("name") || "Player 2", invite: secret });
    if (answer.code === "ok") {
      // The secret leaves the address and the history.
      history.replaceState(null, "", "/");
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
        : h.form({ onsubmit: join }, h.label("Your name", h.input({ name: "name", value: pref("name"), maxlength: 24, autocomplete: "nickname", placeholder: "Player 2" })), h.div({ class: "buttons" }, h.button({ class: "primary big" }, "Join"), watch)),
      h.h2("Rules in short"), paragraphs(game.rules).slice(0, 2)));
  }
}
