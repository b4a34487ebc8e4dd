/** Talks to the server: requests that always resolve to an answer, and the connection that follows a game. */

import { tab } from "./app.js";
import { forget } from "./seen.js";

const PROTOCOL = 2;
const [PATIENCE, PING, SILENCE, POLL, DOUBT] = [8000, 4000, 9000, 2000, 2000]; // milliseconds
const RETRY = ["offline", "busy_retry", "rate_limited"];
const kept = {};
// Views that arrived with a seat, by game.
const first = {};
// Replaces the cookie if cookies are blocked.
let token = null;

/** Ask the server; without an answer, the code is "offline". */
export async function call(method, path, body) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE) });
    const found = agreed(await answer.json());
    if (found.token) {
      ({ token } = found);
      dispatchEvent(new Event("nocookies"));
    }
    return answer.ok ? { code: "ok", ...found } : found;
  } catch {
    return { code: "offline", message: "There is no connection. Please try again." };
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);

/** Check the protocol of an answer or a view and return it; another protocol means that this page is outdated. */
function agreed(found) {
  if ((found.protocol ?? PROTOCOL) !== PROTOCOL) dispatchEvent(new Event("newversion"));
  return found;
}

export async function catalogue() {
  const answer = await (kept.catalogue ??= get("/api/catalogue"));
  if (answer.code !== "ok") delete kept.catalogue;
  return answer;
}

/** Ask for a seat in a new game or a friend's; the server starts a session if there is none. */
export async function sit(path, wish) {
  // If the answer is lost, the same attempt again leads to the same seat.
  const attempt = tab("attempt") ?? randomHex();
  tab("attempt", attempt);
  const answer = await post(path, { ...wish, attempt, seed: randomHex(), bearer: !navigator.cookieEnabled });
  if (answer.code !== "offline") tab("attempt", null);
  if (answer.view) first[answer.view.game] = answer.view;
  return answer;
}

/** Return, once, the view that arrived with a seat. */
export function firstView(game) {
  const view = first[game];
  delete first[game];
  return view;
}

/** Keep a view for the page of its game. */
export const bring = (view) => (first[view.game] = view);

export const resume = (code) => post("/api/sessions/resume", { code, bearer: !navigator.cookieEnabled });

/** End this session or, with a path, others; then delete what this browser stores about the games. */
export async function leave(path = "/api/sessions") {
  const answer = await call("DELETE", path);
  if (answer.code !== "ok" && answer.code !== "forbidden") return answer;
  token = null;
  await forget();
  return answer;
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const randomHex = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** Wait up to five seconds, with jitter, so that browsers do not all return at once; less if the network is back. */
const backoff = (tries) => new Promise((done) => {
  const most = Math.min(5000, 500 * 2 ** tries) * (0.5 + Math.random() / 2);
  setTimeout(done, most);
  addEventListener("online", done, { once: true, signal: AbortSignal.timeout(most) });
});

/** Follows a game: receives views, and sends commands again until they are answered. */
export class Wire {
  #path;
  // The storage key of a command without an answer.
  #unsent;
  #tell;
  #view = { version: 0, news: [] };
  // Best first; sockets and event streams cannot send a token.
  #ways = token ? [this.#poll] : [this.#socket, this.#stream, this.#poll];
  #tries = 0;
  #line = null;
  // When the server was last heard.
  #heardAt = 0;
  #pending = null;
  #closed = new AbortController();

  /** Follow a game, starting from a view if there is one; calls tell with a new view, live, saving or refused. */
  constructor(game, view, tell) {
    [this.#path, this.#unsent, this.#tell] = [`/api/games/${game}`, `unsent ${game}`, tell];
    if (view) this.#take(view);
    // A socket notices only later. Connect again: without a network, a server on this machine still answers.
    addEventListener("offline", () => this.#line && this.#down(this.#line), { signal: this.#closed.signal });
    this.#connect();
  }

  /** Fetch the current view. */
  async check() {
    const found = await get(this.#address());
    if (found.code === "ok") this.#take(found);
    else if (!RETRY.includes(found.code)) {
      this.close();
      this.#tell({ refused: found.message });
    }
    return found;
  }

  #address(more = "") {
    return `${this.#path}${more}?after=${this.#view.version}`;
  }

  #take(view) {
    const { version, news, seat } = this.#view;
    if (this.#closed.signal.aborted || view.version < version) return; // it is older
    if (view.since > version || (!view.phase && view.seat !== seat)) return void this.check(); // something is missing
    // What the new view omits has not changed; its news are appended.
    this.#view = { ...this.#view, ...agreed(view), news: [...news, ...view.news.filter((item) => item.version > version)] };
    this.#tell({ view: this.#view });
  }

  #connect() {
    if (this.#closed.signal.aborted) return;
    const line = (this.#line = {});
    this.#ways[0].call(this, line);
  }

  #heard(line, { view, replies = [], id, ...reply }) {
    if (line !== this.#line) return;
    [line.works, this.#tries, this.#heardAt] = [true, 0, Date.now()];
    this.#tell({ live: true });
    if (view) this.#take(view);
    for (const each of id ? [{ id, ...reply }] : replies) this.#answered(each);
    this.#push();
  }

  async #down(line) {
    if (line !== this.#line) return;
    this.#line = null;
    line.close();
    this.#tell({ live: false });
    const useless = !line.works && this.#tries && this.#ways.length > 1;
    const found = (useless || !this.#view.version) && (await this.check()); // to learn why
    // A transport that failed twice while the server answers is probably blocked: use the next.
    if (useless && found.code === "ok") [this.#ways, this.#tries] = [this.#ways.slice(1), 0];
    await backoff(++this.#tries);
    this.#connect();
  }

  #socket(line) {
    const url = new URL(`${this.#address("/socket")}&protocol=${PROTOCOL}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const way = new WebSocket(url);
    let heard = Date.now();
    const pulse = setInterval(() => {
      if (Date.now() - heard > SILENCE) this.#down(line); // the connection is half open
      else if (way.readyState === WebSocket.OPEN) way.send('{"type":"ping"}');
    }, PING);
    way.onmessage = ({ data }) => {
      heard = Date.now();
      this.#heard(line, JSON.parse(data));
    };
    way.onclose = ({ code }) => {
      if (code === 4026) dispatchEvent(new Event("newversion"));
      this.#down(line);
    };
    line.send = (command) => way.send(JSON.stringify({ type: "command", ...command }));
    line.close = () => {
      clearInterval(pulse);
      way.close();
    };
  }

  #stream(line) {
    const way = new EventSource(this.#address("/events"));
    // A stream cannot be pinged.
    const look = setInterval(() => this.check(), SILENCE);
    way.onmessage = ({ data }) => this.#heard(line, { view: JSON.parse(data) });
    way.onerror = () => this.#down(line);
    line.send = (command) => this.#post(command, "?view=none");
    line.close = () => {
      clearInterval(look);
      way.close();
    };
  }

  #poll(line) {
    const look = async () => RETRY.includes((await this.check()).code) ? this.#down(line) : this.#heard(line, {});
    const clock = setInterval(look, POLL);
    line.send = (command) => this.#post(command, "");
    line.close = () => clearInterval(clock);
    look();
  }

  async #post(command, query) {
    const reply = await post(`${this.#path}/commands${query}`, command);
    if (reply.view) this.#take(reply.view);
    this.#answered({ ...reply, id: command.id });
  }

  /** Send a command, which the server carries out once; resolves when the server has answered, even after an outage. */
  send(body) {
    return this.#insist({ id: randomHex(), ...body });
  }

  /** The command that this tab sent without getting an answer. */
  get unsent() {
    return tab(this.#unsent);
  }

  /** Send that command again. */
  resend() {
    return this.#insist(this.unsent);
  }

  #insist(command) {
    tab(this.#unsent, command);
    return new Promise((done) => {
      const [pending, asked] = [(this.#pending = { command, done, sent: 0 }), Date.now()];
      setTimeout(() => this.#pending === pending && this.#tell({ saving: "Sending…" }), 150);
      // Silence this long is probably a lost connection; whatever is heard later takes it back.
      setTimeout(() => this.#pending === pending && this.#heardAt < asked && this.#tell({ live: false }), DOUBT);
      this.#push();
    });
  }

  /** Send the pending command, once per connection; the server recognises a repeated one by its id. */
  #push() {
    const [pending, line] = [this.#pending, this.#line];
    if (!pending || !line?.works || pending.line === line) return;
    pending.line = line;
    if (pending.sent++) this.#tell({ saving: `Not saved – retrying (${pending.sent - 1})` });
    line.send(pending.command);
  }

  async #answered(reply) {
    const pending = this.#pending;
    if (reply.id !== pending?.command.id) return;
    if (RETRY.includes(reply.code)) {
      await backoff(pending.sent);
      pending.line = null;
      return this.#push();
    }
    this.#pending = null;
    tab(this.#unsent, null);
    this.#tell({ saving: reply.code.startsWith("ok") ? "Saved ✓" : "" });
    pending.done(reply);
  }

  close() {
    this.#closed.abort();
    this.#line?.close();
    this.#line = null;
  }
}
