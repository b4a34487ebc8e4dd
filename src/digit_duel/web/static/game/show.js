/** Turns a view of a game into what its table shows. */

import { pref } from "../app.js";
import { claimIn, tag } from "../clock.js";
import { h, press } from "../paint.js";
import { steps } from "../parts/steps.js";
import { afterwards, gameVerdict, roundVerdict } from "./ending.js";
import { pointing } from "../table/pointing.js";
import { asked, away, command, waits } from "./pieces.js";

export function tableOf(now, page) {
  const { shared, round, past, sending, moves, hide, hint, items, problem } = page;
  const { scene, players, acting, turn, secret, variant } = now;
  const names = players.map(({ name }) => name);
  // Two people on one device: nobody is "you", except the holder of a hidden hand.
  const seat = shared && !variant.hidden && !secret ? null : now.seat;
  const me = shared ? null : now.seat;
  const pending = sending && moves.find(({ move }) => move === sending.move);
  const last = !hide && items.findLast((item) => isNews(item, now.seats) && item.text);
  // On one device, only the holder chooses, even where both choose in secret.
  const choosing = shared && acting.length > 1 && page.holder !== null ? [page.holder] : acting;
  const show = {
    scene, seat, acting: choosing, hide, below: seat ?? 0, tint: now.opener, pending, told: page.told,
    lead: shared && choosing.length === 1 ? `${names[choosing[0]]}: ` : undefined,
    names: names.map((name, at) => (at === me ? "You" : name)), tags: players.map((_, at) => tag(now, at, page.arrived, shared)),
    moves: turn && (pending || !sending) ? moves : [], mark: !pending && !round && marked(past.moments[past.at]),
    hits: past.moments.slice(-3).map(marked).filter((hit) => hit?.points),
    news: waits(now) || last?.text, question: asked(now, page.send), message: message(now, page), alert: problem, confirm: pref("confirm"), still: past.then,
    badges: hint && pointing(moves, hint.move, "the hint"),
    play: (choice) => page.send({ do: "move", move: choice.move }, choice),
  };
  const around = { me, names, first: me ?? now.opener }; // whose score comes first
  if (past.then) return { ...show, ...past.position, seat: shared ? null : now.seat, moves: [], hits: [], question: null, news: "", foot: look(page), instead: page.typing && field(now, page) };
  if (round) return { ...show, verdict: roundVerdict(round, around), foot: press("Next round", page.goOn, { class: "primary next-round" }) };
  if (now.result?.early) return { ...show, ended: gameVerdict(now, around), foot: afterwards(now, around, page.send) };
  if (now.result) return { ...show, verdict: gameVerdict(now, around), foot: afterwards(now, around, page.send) };
  const claim = turn || !page.state.live ? null : claiming(now, page); // offline, nobody knows who is away
  return { ...show, ...claim, instead: page.typing && field(now, page) };
}

/** Whether an item is told at the table: a move, or what the other player answered. */
const isNews = ({ kind, seat }, seats) => /move|takeback/.test(kind) || (kind === "decline" && !seats.includes(seat));

/** Where a move appears, who made it, and its version. */
const marked = (moment) => moment?.place && { ...moment.place, by: moment.seat, key: moment.version };

/** The status line while there is nothing to choose. */
function message({ players, acting, claim, seats }, { items, state: { live, saving }, sending, past, hide, headline }) {
  if (past.then) return past.words(hide);
  if (sending && !live) return "Not sent yet: no connection. Your choice is kept.";
  if (sending) return /^(Saved.*)?$/.test(saving) ? "" : saving;
  if (!live) return `Reconnecting…${items.some(({ kind, seat }) => kind === "move" && seats.includes(seat)) ? " Your last choice is saved." : ""}`;
  return acting.length === 1 && players[acting[0]].kind === "computer" && !claim ? `${players[acting[0]].name} is thinking…` : headline;
}

/** What a player who waits for an absent one sees: when to claim the game, then the button. */
function claiming(now, { arrived, send }) {
  const seconds = now.claim?.seconds === 0 ? 0 : Math.ceil(claimIn(now, arrived) ?? 0) || null;
  if (seconds === null) return {};
  if (seconds > 0) return { message: away(seconds, now.players[1 - now.seat].name), news: "" };
  return { foot: press("Claim the game", () => send({ do: "claim" }), { class: "primary" }) };
}

/** The button back to now and, on screens without a side panel, those for looking back. */
const look = ({ past, visit }) => h.div({ class: "look", key: "look" }, steps(past.at, past.last, visit, press("Back to now", () => visit(past.last), { class: "primary" })));

function field({ secret }, { moves, problem, typed, type }) {
  return command(secret ? "" : moves[0]?.labels.join(" "), { secret, refusal: problem, typed, close: () => type(false) });
}
