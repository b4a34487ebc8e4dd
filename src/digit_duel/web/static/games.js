/** Your games: running games, finished games, and statistics by opponent. */

import { capital, entitle } from "./app.js";
import { opponent, running, standing } from "./home/running.js";
import { h, paint, press } from "./paint.js";
import { setBar } from "./parts/bar.js";
import { seen } from "./seen.js";
import { get } from "./server.js";

const RESULTS = { "you won": ["Won", "good"], "you lost": ["Lost", "bad"], draw: ["Draw", ""], over: ["Over", ""] };
const [when, exactly] = [{ day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }, { dateStyle: "full", timeStyle: "short" }]
  .map((form) => new Intl.DateTimeFormat(undefined, form));

export function open(main) {
  const state = { main, running: [], ended: [], next: null, against: [], message: "", loaded: false, ...seen("yours") };
  setBar({ title: "Your games", back: true });
  entitle("Your games");
  draw(state);
  load(state);
}

async function load(state) {
  const me = await get("/api/me");
  const [page, counts] = me.signed_in ? await Promise.all([get("/api/me/games"), get("/api/me/statistics")]) : [me, me];
  state.loaded = true;
  if (page.code === "ok" && counts.code === "ok") {
    const found = { running: [], ended: [], next: null, against: [], message: "", ...page, ...counts };
    if (me.signed_in) seen("yours", found);
    Object.assign(state, found);
  } else state.message = page.code === "offline" ? "You are offline: these are your games as you saw them last. To play, you need a connection." : page.message;
  draw(state);
}

async function more(state) {
  const page = await get(`/api/me/games?before=${encodeURIComponent(state.next)}`);
  if (page.code === "ok") Object.assign(state, { ended: [...state.ended, ...page.ended], next: page.next });
  else state.message = page.message;
  draw(state);
}

function draw(state) {
  const { main, ended, against, next, message, loaded } = state;
  const open = running(state.running);
  paint(main, h.div({ class: "yours" }, h.h1({ class: "hidden" }, "Your games"),
    h.p({ class: "banner", role: "status" }, message),
    loaded && !open.length && !ended.length && !message && h.p({ class: "lead" }, "No games yet. ", h.a({ href: "/" }, "Pick one"), ", or enter a code from another device in the settings."),
    open.length > 0 && h.section({ key: "running" }, h.h2("Running"), h.ul({ class: "list" }, open.map((game) => runningGame(game, !message)))),
    against.length > 0 && statistics(against),
    ended.length > 0 && h.section({ key: "ended" }, h.h2("Ended"), h.ul({ class: "list" }, ended.map(endedGame)),
      next && press("Show more", () => more(state), { key: "more" }))));
}

const against = (game) => (game.seat === null ? h.bdi(opponent(game)) : ["against ", h.bdi(opponent(game))]);

/** Without a connection the button stays plain: the game cannot be played now. */
const runningGame = (game, playable) => h.li({ key: game.game }, h.a({ class: "game-line", href: `/g/${game.game}` },
  h.b(capital(game.variant)), h.span(against(game)), h.span({ class: game.your_turn ? "badge on" : "badge" }, standing(game)), h.span({ class: game.your_turn && playable ? "button primary" : "button" }, game.your_turn ? "Continue" : "Open")));

function endedGame(game) {
  const [word, tone] = RESULTS[game.result];
  const path = `/g/${game.game}`;
  return h.li({ key: game.game, class: "game-line" },
    h.b({ class: `result-word ${tone}` }, word), h.span(h.b(capital(game.variant)), " ", against(game)),
    h.time({ class: "soft", datetime: new Date(game.changed).toISOString(), title: exactly.format(game.changed) }, when.format(game.changed)),
    h.span({ class: "links" }, h.a({ href: path }, "Open"), game.names.every(Boolean) && h.a({ href: `${path}/analysis` }, "Review")));
}

/** One line for each opponent, over all games, with the names of the games below. */
function statistics(rows) {
  const lines = {};
  for (const row of rows) {
    const line = (lines[row.opponent] ??= { name: row.level ? `Computer, ${row.level}` : row.name, games: [], played: 0, won: 0, lost: 0, drawn: 0 });
    for (const count of ["played", "won", "lost", "drawn"]) line[count] += row[count];
    line.games.push(capital(row.variant));
  }
  const columns = ["played", "won", "lost", ...(rows.some(({ drawn }) => drawn) ? ["drawn"] : [])];
  return h.section({ key: "statistics" }, h.h2("Statistics"), h.div({ class: "scroll", tabindex: "0", role: "region", "aria-label": "Statistics" }, h.table({ class: "statistics" },
    h.thead(h.tr(["against", ...columns].map((title) => h.th({ key: title, scope: "col" }, capital(title))), h.th({ class: "share", key: "share", scope: "col" }, "Share won"))),
    h.tbody(Object.entries(lines).map(([key, line]) => h.tr({ key },
      h.th({ scope: "row" }, h.bdi(line.name), h.small(line.games.join(", "))), columns.map((count) => h.td({ key: count }, String(line[count]))),
      h.td({ class: "share", key: "share" }, `${Math.round((100 * line.won) / line.played)}%`)))))));
}
