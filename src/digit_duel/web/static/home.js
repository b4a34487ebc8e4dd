/** Home: a card for each game, which starts it, and the games that wait for you. */

import { pref, setPref, startForm } from "./app.js";
import { begin, setDeal } from "./home/begin.js";
import { live } from "./home/minis.js";
import { chooseOptions, settingsOf } from "./home/options.js";
import { running, runningCards } from "./home/running.js";
import { h, paint } from "./paint.js";
import { setBar } from "./parts/bar.js";
import { forgetSeen, seen } from "./seen.js";
import { catalogue, get } from "./server.js";

export { begin };

const { elements: fields } = startForm;
const EVENTS = ["online", "offline", "visibilitychange"];
const LOOK = 10_000; // milliseconds between two looks whether a friend has moved

/** Restore the last choices, unless the player has already changed the field. */
for (const name of ["level", "name"]) {
  const usual = startForm.querySelector(`[name=${name}]:default`)?.value ?? "";
  if (fields[name].value !== usual) continue;
  fields[name].value = pref(name);
  fields[name].value ||= usual;
}

const keep = () => ["level", "name"].forEach((name) => setPref(name, fields[name].value.trim()));

/** The request for a new game from a card's button. */
const wished = (variant, opponent, match) => ({
  variant, settings: settingsOf(variant), opponent, start: pref("start"), level: opponent === "computer" ? fields.level.value : null,
  hints: opponent === "computer" && Boolean(pref("hints")), match: match || null,
});

export function open(main, wanted) {
  if (!main.contains(startForm)) main.append(document.createElement("div"), startForm);
  startForm.querySelectorAll(".card").forEach((card) => tell(card, "")); // from the last time
  const state = { top: main.firstElementChild, problem: "", games: seen("games") ?? [], table: null, busy: false, note: "", stop: () => {} };
  const again = () => document.hidden || follow(state);
  const clock = setInterval(() => awaited(state.games) && again(), LOOK);
  setBar();
  startForm.onchange = keep;
  startForm.onsubmit = (event) => {
    event.preventDefault();
    pressed(state, event.submitter);
  };
  draw(state);
  const early = startForm.querySelector("[aria-pressed]");
  if (early) {
    early.ariaPressed = null;
    pressed(state, early);
  }
  follow(state);
  furnish(state, wanted);
  // Captured, because visibilitychange is an event of the document.
  for (const event of EVENTS) addEventListener(event, again, true);
  return () => {
    clearInterval(clock);
    for (const event of EVENTS) removeEventListener(event, again, true);
    state.stop();
  };
}

/** Whether somebody else is to move or to join. */
const awaited = (games) => running(games).some(({ your_turn: turn, seat, level }) => !turn && seat !== null && !level);

/** Fetch your games and, if it has changed, the table of the first. */
async function follow(state) {
  const me = await get("/api/me");
  setDeal(me.deal);
  state.note = me.code === "offline" ? "You are offline. To play, you need a connection." : "";
  if (me.code === "ok") {
    state.games = me.games;
    if (me.signed_in) seen("games", me.games);
    else forgetSeen();
  }
  const [first] = running(state.games);
  const { game, changed } = state.table ?? {};
  if (!game) draw(state);
  if (first && (game !== first.game || changed !== first.changed)) {
    const { scene, seat, opener } = await get(`/api/games/${first.game}`);
    if (scene) state.table = { game: first.game, changed: first.changed, show: { scene, below: seat ?? 0, tint: opener, mini: true, still: true } };
  }
  draw(state);
}

/** Bring the miniatures to life; open the options of the game in the address. */
async function furnish(state, wanted) {
  const { games, message } = await catalogue();
  if (!games) return fail(state, message);
  const boxes = Object.fromEntries([...startForm.querySelectorAll(".play")].map((button) => [button.dataset.game, button.querySelector(".mini")]));
  state.stop = live(boxes, games);
  const game = games.find(({ id }) => id === wanted);
  if (game) offer(state, game);
  // Preload the next page; if that fails, opening it shows the error.
  import("./game.js").catch(() => {});
}

function draw({ top, problem, note, games, table }) {
  const held = top.contains(document.activeElement) && document.activeElement.getAttribute("href");
  paint(top, h.div({ class: "welcome" }, h.h1({ class: "hero" }, "A duel of digits"), games.length > 0 && h.a({ href: "/games" }, "Your games")),
    h.p({ class: "banner", role: "status" }, note),
    runningCards(games, table), h.p({ class: "problem", role: "alert" }, problem));
  // A game that takes another place in the list keeps the focus.
  if (held && document.activeElement === document.body) top.querySelector(`[href="${held}"]`)?.focus({ preventScroll: true });
}

function fail(state, message) {
  state.problem = message;
  draw(state);
}

async function pressed(state, button) {
  const { value, dataset: { game: id } } = button;
  const card = button.closest(".card");
  if (value !== "options") return start(state, id, value, "", card);
  const { games, message } = await catalogue();
  const game = games?.find((each) => each.id === id);
  return game ? offer(state, game) : tell(card, message);
}

/** Show on a card that its game is starting, or an error. */
function tell(card, text, busy = false) {
  let line = card.querySelector(".told");
  if (!line && !text) return;
  line ??= card.appendChild(Object.assign(document.createElement("p"), { className: "told" }));
  card.ariaBusy = String(busy);
  line.role = busy ? "status" : "alert";
  line.textContent = text;
  if (text) line.scrollIntoView({ block: "nearest" });
}

const offer = (state, game) => chooseOptions(game, (opponent, match) => start(state, game.id, opponent, match));

async function start(state, game, opponent, match, card) {
  // Ignore the second click of a double click.
  if (state.busy) return null;
  state.busy = true;
  keep();
  if (card) tell(card, "Starting…", true);
  const answer = await begin(wished(game, opponent, match));
  state.busy = false;
  if (card) tell(card, answer.game ? "" : answer.message);
  return answer;
}
