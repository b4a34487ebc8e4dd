/** The fairness page: recomputes the seals and the draws that follow from them. */

import { entitle, short } from "./app.js";
import { h, paint } from "./paint.js";
import { get, toHex } from "./server.js";

// Our own SHA-256 and HMAC, because browsers offer theirs only to pages with TLS.
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
const START = primes.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)));
const ROUND = primes.map((prime) => fraction(Math.cbrt(prime)));

function sha256(bytes) {
  const blocks = (bytes.length + 72) >> 6;
  const data = new DataView(new ArrayBuffer(blocks * 64));
  [...bytes, 0x80].forEach((byte, at) => data.setUint8(at, byte));
  data.setUint32(blocks * 64 - 4, bytes.length * 8);
  const sum = Int32Array.from(START);
  const w = new Int32Array(64);
  const mix = (word, a, b, c, shift) => ((word >>> a) | (word << (32 - a))) ^ ((word >>> b) | (word << (32 - b))) ^ ((word >>> c) | (shift ? 0 : word << (32 - c)));
  for (let block = 0; block < blocks; block++) {
    let [a, b, c, d, e, f, g, last] = sum;
    for (let t = 0; t < 64; t++) {
      w[t] = t < 16 ? data.getInt32(block * 64 + t * 4) : w[t - 16] + mix(w[t - 15], 7, 18, 3, true) + w[t - 7] + mix(w[t - 2], 17, 19, 10, true);
      const one = last + mix(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + ROUND[t] + w[t];
      const two = mix(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
      [last, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, last].forEach((word, at) => (sum[at] += word));
  }
  sum.forEach((word, at) => data.setInt32(at * 4, word));
  return new Uint8Array(data.buffer, 0, 32);
}

function hmac(key, bytes) {
  const padded = (by) => Array.from({ length: 64 }, (_, at) => (key[at] ?? 0) ^ by);
  return sha256([...padded(0x5c), ...sha256([...padded(0x36), ...bytes])]);
}

const bytes = (text) => [...new TextEncoder().encode(text)];
const seal = (...parts) => toHex(sha256(bytes(parts.join("/"))));

/** The draw that follows from the seeds at a ply. */
export function due({ seed, client_seeds }, { ply, among }) {
  const limit = BigInt(among.reduce((sum, [, weight]) => sum + weight, 0));
  const key = seed.match(/../g).map((pair) => parseInt(pair, 16));
  const span = 2n ** 64n;
  for (let attempt = 0; ; attempt++) {
    const hash = hmac(key, bytes([...client_seeds, ply, attempt].join("/")));
    let at = BigInt(`0x${toHex(hash.slice(0, 8))}`);
    if (at >= span - (span % limit)) continue; // it would favour some draws
    at %= limit;
    return among.find(([, weight]) => (at -= BigInt(weight)) < 0n)[0];
  }
}

export function checks(proof) {
  const { game, choices, moves, draws = [] } = proof;
  const all = ({ length }, right, text) => length > 0 && [`${right.length} of ${length} ${text}`, right.length === length];
  return [
    [`The seal ${short(proof.seal)} matches: the seed was fixed before anybody joined.`, seal(proof.seed, game) === proof.seal],
    all(draws, draws.filter((draw) => due(proof, draw) === draw.move && moves[draw.ply] === draw.move), "draws follow from the sealed seed and both players' own seeds."),
    all(choices, choices.filter((choice) => seal(choice.salt, game, choice.version, choice.move) === choice.seal), "secret choices are the ones that were sealed."),
  ].filter(Boolean);
}

export function open(main, id) {
  entitle("Fair play");
  get(`/api/games/${id}/proof`).then((proof) => show(main, id, proof));
}

function show(main, id, proof) {
  const found = proof.seal ? checks(proof) : [];
  paint(main, h.div({ class: "prose" },
    h.h1(!proof.seal ? "Fair play" : found.every(([, holds]) => holds) ? "The deal was fair ✓" : "This does not add up ✗"),
    proof.seal ? [
      h.p({ class: "lead" }, "Your browser has just recomputed this."),
      h.ul({ class: "plain" }, found.map(([text, holds]) => h.li(h.b(holds ? "✓ Holds: " : "✗ Fails: "), text))),
      found.length === 1 && h.p("Nothing was drawn and nothing was hidden in this game."),
      h.p("To check that the moves follow the rules, save the ", h.a({ href: `/api/games/${id}/record`, target: "_blank" }, "record"), " and run ", h.code("digit-duel verify FILE"), "."),
    ] : h.p({ role: "alert" }, proof.message),
    h.a({ class: "button", href: `/g/${id}` }, "Go to game")));
}
