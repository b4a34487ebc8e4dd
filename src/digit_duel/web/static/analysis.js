/** The analysis board: values, history, lines to try out, mistakes to learn from. */

import { busy, capital, copy, entitle, pref, speak } from "./app.js";
import { unpack } from "./choose.js";
import { h, paint, press } from "./paint.js";
import { steps, values, walk } from "./panels.js";
import { get, post } from "./server.js";
import "./table.js";

export function open(main, id, kind) {
  const game = kind === "g" && id;
  const query = new URLSearchParams(location.search);
  // Positions and their values.
  const known = {};
  let [variant, settings, names, mine] = [id, {}, ["First", "Second"], null];
  let [line, at, played, review] = [[], 0, null, null];
  let [lesson, problem] = [null, ""];
  // Are there hands, and both open?
  let [hidden, revealed] = [false, false];

  async function start() {
    if (game && !(await load())) return draw();
    if (!game) settings = Object.fromEntries(query.getAll("set").map((pair) => pair.split("=")));
    line = query.has("moves") ? query.get("moves").split(".").filter(Boolean) : played ?? [];
    await visit(+(query.get("at") ?? (game ? 0 : line.length)) || 0);
  }

  async function load() {
    const [view, proof, judged] = await Promise.all(["", "/proof", "/review"].map((more) => get(`/api/games/${id}${more}`)));
    problem = proof.message;
    if (problem) return false;
    [played, variant, settings] = [proof.moves, proof.variant, proof.settings];
    names = view.players.map(({ name }) => name);
    if (view.seats.length === 1) [mine] = view.seats;
    if (judged.moves) review = judged;
    ({ hidden } = view.variant);
    return true;
  }

  const place = () => `${line.slice(0, at).join(".")} ${revealed}`;
  const look = (seat) => post("/api/analysis", { variant, settings, seat, game: game || null, moves: line.slice(0, at) });

  /** In the eyes of the one to choose, but each side as its owner sees it: the game is over. */
  async function both() {
    const seen = await Promise.all([look(0), look(1)]);
    const wrong = seen.find(({ scene }) => !scene);
    if (wrong) return wrong;
    const [{ scene }, { scene: other }] = seen;
    const found = seen[seen[0].to_move ?? 0];
    return { ...found, scene: { ...found.scene, counts: [], rows: [scene.rows[0], other.rows[1]], drawn: scene.drawn?.hidden ? other.drawn : scene.drawn } };
  }

  function reveal() {
    revealed = !revealed;
    visit(at);
  }

  async function visit(to) {
    at = Math.max(0, Math.min(line.length, to));
    const here = place();
    if (!known[here]) {
      const found = await (revealed ? both() : look(mine));
      if (found.scene) known[here] = { ...found, choices: unpack(found) };
      problem = found.message;
    }
    if (!main.isConnected || here !== place()) return;
    const address = new URLSearchParams(line === played ? {} : { moves: line.join(".") });
    if (!game) Object.entries(settings).forEach((pair) => address.append("set", pair.join("=")));
    address.set("at", at);
    history.replaceState(null, "", `?${address}`);
    draw();
  }

  async function play(move) {
    if (lesson && !lesson.solved && !answer(move)) return;
    if (line[at] !== move) line = [...line.slice(0, at), move];
    await visit(at + 1);
    const { over, symbol, text } = known[place()] ?? {};
    speak(over ? over.closing : `${symbol ?? ""} ${text ?? ""}`);
  }

  const back = (to) => {
    line = played;
    visit(to);
  };
  const mistakes = () => review?.moves.filter(({ mistake, seat }) => mistake && (mine ?? seat) === seat) ?? [];

  function turn(to) {
    lesson = to;
    draw();
  }

  function learn(number) {
    lesson = { number, said: "" };
    back(mistakes()[number].at - 1);
  }

  function answer(move) {
    const wrong = mistakes()[lesson.number];
    if (at !== wrong.at - 1) return true;
    const solved = wrong.better.includes(move) || known[place()].options.some((option) => option.best && option.move === move);
    turn({ ...lesson, solved, said: solved ? `Right. ${wrong.reason ?? ""}` : "Not that one. Try another." });
    return solved;
  }

  function draw() {
    const found = known[place()];
    entitle(`Analysis of ${capital(variant)}`);
    paint(main, h.div({ class: "game" },
      h.div({ class: "title" }, h.h1(`Analysis of ${capital(variant)}`), game && h.a({ class: "button", href: `/g/${game}` }, names.join(" – "))),
      h.p({ role: "alert", class: "problem" }, problem),
      found && h.div({ class: "board" }, bar(found), table(found), review && story()),
      found && h.aside({ "aria-label": "Values" }, mistakes().length > 0 && lessons(), (!lesson || lesson.solved) && verdict(found))));
  }

  const table = ({ scene, to_move: mover, choices }) => h["duel-table"]({ translate: "no", show: {
    scene, moves: choices, names, play, seat: null, below: mine ?? 0, acting: mover === null ? [] : [mover],
  } });

  const bar = ({ scene: { drawn } }) => steps(at, line.length, visit,
    h.output(`${at} of ${line.length} `, h.b({ translate: "no" }, !drawn?.hidden && line[at - 1])),
    hidden && press("Reveal both hands", reveal, { "aria-pressed": String(revealed) }),
    played && line !== played && press("Back to the game", () => back(at)));

  const verdict = ({ symbol, text, options, choices, reason, line: best, over, to_move: mover }) => [
    h.section({ key: "value" }, h.h2(over ? "The end" : mover === null ? "Chance" : `${names[mover]} to choose`),
      h.p({ class: "verdict" }, over ? over.closing : `${symbol ?? ""} ${text ?? ""}`), h.p(reason),
      best.length > 0 && h.p({ class: "soft", translate: "no" }, `Best line: ${best.join(" ")}`)),
    options.length > 0 && h.section({ key: "options" }, h.h2("Every choice"), values(options.map((option) => ({ ...option, words: choices.find(({ move }) => move === option.move)?.labels.join(" ") })), play)),
    h.div({ class: "buttons", key: "more" }, press("Copy link", () => copy(location.href)),
      game && h.a({ class: "button", href: `/verify/${game}` }, "Fair play, record"))];

  function story() {
    const { start: first, moves, turning } = review;
    const turns = moves.filter((move) => turning.includes(move.at));
    const spots = [{ at: 0, value: first }, ...moves].filter(({ value }) => value !== null);
    const [wide, x, y] = [Math.max(played.length, 1), (ply) => 20 + (ply * 560) / wide, (value) => 70 - value * 50];
    return spots.length > 1 && h.section({ class: "story" }, h.h2("How it went"),
      h.svg({ viewBox: "0 0 600 140", role: "img", "aria-label": `Value over the moves, ${names[0]} above the line and ${names[1]} below` },
        h.line({ x1: 20, x2: 580, y1: 70, y2: 70 }),
        line === played && h.line({ class: "now", x1: x(at), x2: x(at), y1: 10, y2: 130 }),
        h.polyline({ points: spots.map((spot) => `${x(spot.at)},${y(spot.value)}`).join(" ") }),
        turns.map((move) => h.circle({ cx: x(move.at), cy: y(move.value ?? 0), r: 7 }))),
      h.p({ class: "soft" }, `▲ ${names[0]} above, ▼ ${names[1]} below, ● turning points${turns.length ? "" : ": none"}`),
      h.ul({ class: "plain values" }, turns.map(({ at: ply, seat, words, reason, text }) => h.li({ key: ply },
        press(`● Move ${ply}, ${names[seat]}: ${words}. ${reason || text}`, () => back(ply - 1))))));
  }

  function lessons() {
    const all = mistakes();
    if (!lesson) return h.section({ key: "learn" }, h.h2("Learn from mistakes"), press(`Find what was better (${all.length})`, () => learn(0), { class: "primary" }));
    const { number, said, solved } = lesson;
    const { at: ply, seat, words: move, better_words: better, reason } = all[number];
    return h.section({ key: "learn", class: "panel" }, h.h2(`Mistake ${number + 1} of ${all.length}`),
      h.p(`Move ${ply}: ${names[seat]} played ${move}. Find something better on the board.`),
      h.p({ role: "alert" }, said),
      h.div({ class: "buttons" },
        !solved && press("Show it", () => turn({ number, solved: true, said: `Better: ${better.join(", ")}. ${reason ?? ""}` })),
        number + 1 < all.length && press("Next", () => learn(number + 1), { class: "primary" }),
        press("Done", () => turn(null))));
  }

  function key(event) {
    if (busy(event)) return;
    const board = main.querySelector("duel-table");
    if (walk(event, at, line.length, visit)) return;
    if (event.key === "Escape") board?.undo();
    else if (pref("letters") && board?.key(event.key.toLowerCase())) event.preventDefault();
  }

  addEventListener("keydown", key);
  start();
  return () => removeEventListener("keydown", key);
}
