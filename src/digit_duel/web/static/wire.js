/** The line to one game: news as they happen, over whatever passes, and choices that are sent until they are answered. */

import { PROTOCOL, agree, get, onlyPolls, post, randomHex } from "./api.js";
import { tab } from "./prefs.js";

const [PING, SILENCE, POLL] = [4000, 9000, 2000]; // milliseconds: a dead line is noticed within ten seconds
const RETRY = new Set(["offline", "busy_retry", "rate_limited"]);

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** How long to wait before a try: half a second, doubling up to five, and never all browsers at once. */
const backoff = (tries) => Math.min(5000, 500 * 2 ** Math.min(tries, 4)) * (0.5 + Math.random() / 2);

export class Wire {
  #game; #query; #onview; #onstate;
  #line = null; // what ends the present connection
  #ways = [socket, stream, poll]; // the ways that may still work, best first
  #tries = 0;
  #closed = false;
  version = -1;

  /** Follow a game; query says in whose eyes. */
  constructor(game, query, onview, onstate) {
    [this.#game, this.#query, this.#onview, this.#onstate] = [game, query, onview, onstate];
    if (onlyPolls()) this.#ways = [poll];
    this.#connect();
  }

  get path() {
    return `/api/games/${this.#game}`;
  }

  address(more = "") {
    const after = `after=${Math.max(0, this.version)}`;
    return `${this.path}${more}?${[this.#query, after].filter(Boolean).join("&")}`;
  }

  /** Hang up; a choice that has not been answered is sent again when the game is next opened. */
  close() {
    this.#closed = true;
    this.#line?.();
  }

  /** Ask for the present state now: after sleep, or when something seems to be missing. */
  async check() {
    const found = await get(this.address());
    if (found.code === "ok") this.#take(found);
    else if (!RETRY.has(found.code)) this.#onstate({ refused: found });
  }

  /** Send a choice, again and again until there is an answer; the server knows it by its id. */
  async send(body) {
    const command = { id: randomHex(), version: this.version, seat: null, ...body };
    tab(`unsent ${this.#game}`, command);
    return this.#insist(command);
  }

  /** Send what a closed page left unanswered. */
  async resend() {
    const command = tab(`unsent ${this.#game}`);
    return command ? this.#insist(command) : null;
  }

  async #insist(command) {
    for (let tries = 0; !this.#closed; tries++) {
      if (tries) this.#onstate({ saving: `Not saved – retrying (${tries})` });
      const slow = setTimeout(() => tries || this.#onstate({ saving: "Sending…" }), 120);
      const reply = await post(`${this.path}/commands`, command);
      clearTimeout(slow);
      if (!RETRY.has(reply.code)) {
        tab(`unsent ${this.#game}`, null);
        this.#onstate({ saving: reply.code.startsWith("ok") ? "Saved ✓" : "" });
        return reply;
      }
      await wait(backoff(tries));
    }
    return null;
  }

  #take(view) {
    if (this.#closed || view.version < this.version) return; // never backwards
    if (view.since > Math.max(0, this.version)) return this.check(); // something is missing between
    agree(view);
    this.version = view.version;
    this.#onview(view);
  }

  #connect() {
    if (this.#closed) return;
    let opened = false;
    this.#line = this.#ways[0](this, {
      up: () => {
        opened = true;
        this.#tries = 0;
        this.#onstate({ live: true });
      },
      view: (view) => this.#take(view),
      refused: (message) => this.#onstate({ refused: { message } }),
      down: async () => {
        this.#line?.();
        if (this.#closed) return;
        this.#onstate({ live: false });
        // A way that has never worked twice in a row is blocked by something: take the next.
        if (!opened && this.#tries > 0 && this.#ways.length > 1) [this.#ways, this.#tries] = [this.#ways.slice(1), 0];
        await wait(backoff(this.#tries++));
        this.#connect();
      },
    });
  }
}

function socket(wire, on) {
  const address = new URL(`${wire.address("/socket")}&protocol=${PROTOCOL}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const line = new WebSocket(address);
  let heard = Date.now();
  let over = false;
  const end = () => {
    over = true;
    clearInterval(pulse);
    line.close();
  };
  const fail = () => {
    if (over) return;
    end();
    on.down();
  };
  const pulse = setInterval(() => {
    if (Date.now() - heard > SILENCE) fail(); // half open: nobody says goodbye
    else if (line.readyState === WebSocket.OPEN) line.send('{"type":"ping"}');
  }, PING);
  line.onmessage = ({ data }) => {
    heard = Date.now();
    const message = JSON.parse(data);
    if (message.type !== "view") return;
    on.up();
    on.view(message.view);
  };
  line.onclose = ({ code }) => {
    if (over) return;
    if (code === 4026) dispatchEvent(new Event("newversion"));
    if (code !== 4026 && code !== 4004) return fail();
    end();
    on.refused("There is no such game.");
  };
  return end;
}

function stream(wire, on) {
  const line = new EventSource(wire.address("/events"));
  line.onmessage = ({ data }) => {
    on.up();
    on.view(JSON.parse(data));
  };
  // A stream cannot be pinged, so a look now and then finds what got stuck.
  const look = setInterval(() => wire.check(), SILENCE);
  const end = () => {
    clearInterval(look);
    line.close();
  };
  line.onerror = () => {
    end();
    on.down();
  };
  return end;
}

function poll(wire, on) {
  let over = false;
  (async () => {
    while (!over) {
      const found = await get(wire.address());
      if (over) return;
      if (RETRY.has(found.code)) return on.down();
      if (found.code !== "ok") return on.refused(found.message);
      on.up();
      on.view(found);
      await wait(POLL);
    }
  })();
  return () => {
    over = true;
  };
}
