// The peer: boardgame.io's own server with its own file storage, and classic written for it.
// Usage: node peer.cjs PORT FOLDER
const { createRequire } = require("node:module");
const from = createRequire(process.cwd() + "/");
const { Server, FlatFile, Origins } = from("boardgame.io/server");
const { INVALID_MOVE } = from("boardgame.io/core");

const classic = {
  name: "classic",
  setup: () => ({ pool: [1, 2, 3, 4, 5, 6, 7, 8, 9], boards: { 0: [null, null, null], 1: [null, null, null] } }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, digit, place) => {
      const board = G.boards[playerID];
      if (!G.pool.includes(digit) || board[place] !== null) return INVALID_MOVE;
      board[place] = digit;
      G.pool = G.pool.filter((other) => other !== digit);
    },
  },
  endIf: ({ G }) => {
    if (Object.values(G.boards).flat().includes(null)) return undefined;
    const [first, second] = [0, 1].map((seat) => +G.boards[seat].join(""));
    return { winner: first > second ? "0" : "1" };
  },
};

const server = Server({
  games: [classic], origins: [Origins.LOCALHOST], db: new FlatFile({ dir: process.argv[3], logging: false }),
});
// With one port for both, its lobby answers 404 in this version: it gets the next port.
server.run({ port: +process.argv[2], lobbyConfig: { apiPort: +process.argv[2] + 1 } }, () => console.log("ready"));
