// Plays many games of classic at once against a server, as its two players, and measures from the moment a
// move is sent to the moment the other player has it. Prints "ready" when all tables are set up, starts to
// play when a line comes in, and prints one line of JSON at the end.
// Usage: node generator.mjs ours|peer URL GAMES ACTIVE
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const [kind, url, games, active] = [process.argv[2], process.argv[3], +process.argv[4], +process.argv[5]];
const BATCH = 25; // tables that are set up at a time

const pick = (list) => list[Math.floor(Math.random() * list.length)];

const lobby = url.replace(/\d+$/, (port) => +port + 1); // of the peer

async function post(path, body, token) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch((kind === "peer" ? lobby : url) + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

// A table has two lines, one a player. Each calls heard(seat, version, moves, over) and can send(move, version).
const drivers = { ours, peer };

async function ours() {
  const WebSocket = require("ws");
  const tokens = [];
  for (let seat = 0; seat < 2; seat++) tokens.push((await post("/api/sessions", { bearer: true })).token);
  return async (heard) => {
    const { game, invite } = await post("/api/games", { variant: "classic", opponent: "friend", name: "Tom" }, tokens[0]);
    await post(`/api/games/${game}/join`, { name: "Anna", invite: invite.url.split("#")[1] }, tokens[1]);
    const lines = await Promise.all(tokens.map((token, seat) => new Promise((ready, failed) => {
      const line = new WebSocket(`${url.replace("http", "ws")}/api/games/${game}/socket`, {
        headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false,
      });
      line.on("error", failed);
      line.on("message", (data) => {
        const message = JSON.parse(data);
        for (const { code } of message.replies ?? [message]) if (code && code !== "ok") failures.push(code);
        const { version, turn, moves, phase } = message.view ?? {};
        if (moves) { // else the version is the same
          heard(seat, version, turn ? moves : [], phase === "over");
          ready(line);
        }
      });
    })));
    let count = 0;
    return {
      send: (seat, move, version) =>
        lines[seat].send(JSON.stringify({ type: "command", id: `${seat}.${count++}`, version, do: "move", move })),
      close: () => lines.forEach((line) => line.terminate()),
    };
  };
}

async function peer() {
  const { io } = require("socket.io-client");
  return async (heard) => {
    const { matchID } = await post("/games/classic/create", { numPlayers: 2 });
    const keys = [];
    for (const playerID of ["0", "1"]) // one after the other: two joins at once overwrite each other there
      keys.push((await post(`/games/classic/${matchID}/join`, { playerID, playerName: playerID })).playerCredentials);
    const lines = await Promise.all(keys.map((credentials, seat) => {
      const playerID = String(seat);
      return new Promise((ready) => {
        const line = io(`${url}/classic`, { transports: ["websocket"], forceNew: true });
        const seen = (state) => {
          const { G, ctx, _stateID } = state;
          const turn = ctx.currentPlayer === playerID && !ctx.gameover;
          const empty = G.boards[playerID].flatMap((digit, place) => (digit === null ? [place] : []));
          const moves = turn ? G.pool.flatMap((digit) => empty.map((place) => [digit, place])) : [];
          heard(+playerID, _stateID, moves, Boolean(ctx.gameover));
        };
        line.on("connect", () => line.emit("sync", matchID, playerID, credentials, 2));
        line.on("sync", (_, info) => { seen(info.state); ready({ line, credentials }); });
        line.on("update", (_, state) => seen(state));
      });
    }));
    return {
      send: (seat, args, version) => {
        const playerID = String(seat);
        const payload = { type: "place", args, playerID, credentials: lines[seat].credentials };
        lines[seat].line.emit("update", { type: "MAKE_MOVE", payload }, version, matchID, playerID);
      },
      close: () => lines.forEach(({ line }) => line.disconnect()),
    };
  };
}

const failures = [], delays = [];

// Set a table up; play() then plays it to its end.
async function table(open) {
  const heardOf = [-1, -1];
  let line, playing = false, sent = null, done, choices = [[], []];
  const act = (seat) => {
    const moves = choices[seat];
    if (!playing || moves.length === 0 || sent) return;
    choices[seat] = [];
    sent = { by: seat, at: performance.now(), version: heardOf[seat] };
    line.send(seat, pick(moves), heardOf[seat]);
  };
  const heard = (seat, version, moves, over) => {
    if (version <= heardOf[seat] && !(version === heardOf[seat] && moves.length && !choices[seat].length && !sent)) return;
    heardOf[seat] = version;
    choices[seat] = moves;
    if (sent && sent.by !== seat && version > sent.version) {
      delays.push(performance.now() - sent.at);
      sent = null;
      if (over) return done();
      act(seat);
    } else act(seat);
  };
  line = await open(heard);
  return () => new Promise((end) => {
    done = () => { line.close(); end(); };
    playing = true;
    act(0); act(1);
  });
}

const open = await drivers[kind]();
const tables = [];
for (let at = 0; at < games; at += BATCH)
  tables.push(...await Promise.all(Array.from({ length: Math.min(BATCH, games - at) }, () => table(open))));
console.log("ready");
await new Promise((go) => process.stdin.once("data", go));
const before = process.cpuUsage();
const began = performance.now();
const waiting = tables.slice();
await Promise.all(Array.from({ length: active }, async () => {
  for (let play = waiting.pop(); play; play = waiting.pop()) await play();
}));
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(before);
delays.sort((one, other) => one - other);
const at = (share) => +delays[Math.min(delays.length - 1, Math.floor(share * delays.length))].toFixed(2);
console.log(JSON.stringify({
  games, active, moves: delays.length, seconds: +seconds.toFixed(2), rate: Math.round(delays.length / seconds),
  p50: at(0.5), p99: at(0.99), p999: at(0.999), failures: failures.length,
  generator: +((user + system) / 1e6 / seconds).toFixed(2),
}));
process.exit(0);
