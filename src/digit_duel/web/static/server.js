/** The server: requests that always have an answer, and the line to a game. */

import { tab } from "./app.js";

const PROTOCOL = 2;
const [PATIENCE, PING, SILENCE, POLL] = [8000, 4000, 9000, 2000]; // milliseconds
const RETRY = ["offline", "busy_retry", "rate_limited"];
const kept = {};
// Where cookies are blocked.
let token = null;

/** Ask the server; no answer is the code "offline". */
export async function call(method, path, body) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE) });
    const found = agreed(await answer.json());
    return answer.ok ? { code: "ok", ...found } : found;
  } catch {
    return { code: "offline", message: "There is no connection. Please try again." };
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);

function agreed(found) {
  if ((found.protocol ?? PROTOCOL) !== PROTOCOL) dispatchEvent(new Event("newversion"));
  return found;
}

async function once(name, make) {
  const answer = await (kept[name] ??= make());
  if (answer.code !== "ok") delete kept[name];
  return answer;
}

export const catalogue = () => once("catalogue", () => get("/api/catalogue"));
export const entry = async (id) => (await catalogue()).games?.find((game) => game.id === id);

/** Make this browser known to the server; where cookies are blocked, until the page is closed. */
export const session = () => once("session", async () => {
  const me = await get("/api/me");
  if (me.code !== "ok" || me.signed_in) return me;
  const opened = await post("/api/sessions", { bearer: false });
  if (opened.code !== "ok" || (await get("/api/me")).signed_in) return opened;
  const lent = await post("/api/sessions", { bearer: true });
  token = lent.token;
  dispatchEvent(new Event("nocookies"));
  return lent;
});

export async function known(path, body) {
  const me = await session();
  return me.code === "ok" ? post(path, body) : me;
}

export async function resume(code) {
  const answer = await post("/api/sessions/resume", { code, bearer: token !== null });
  token = answer.token ?? token;
  delete kept.session;
  return answer;
}

export async function leave() {
  await call("DELETE", "/api/sessions");
  token = null;
  delete kept.session;
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const randomHex = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

export const sit = (game, name, seat, invite = null) => known(`/api/games/${game}/join`, { name, seat, invite, seed: randomHex() });

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Up to five seconds, and never all browsers at once. */
const backoff = (tries) => Math.min(5000, 500 * 2 ** tries) * (0.5 + Math.random() / 2);

/** Follow a game; query says in whose eyes. */
export function wire(game, query, onview, onstate) {
  const path = `/api/games/${game}`;
  const unsent = `unsent ${game}`;
  const address = (more = "") => `${path}${more}?${query}&after=${Math.max(0, version)}`;
  // Best first; streams carry no token.
  let ways = token ? [poll] : [socket, stream, poll];
  let [known, version, tries, closed, end] = [{}, -1, 0, false, null];

  async function check() {
    const found = await get(address());
    if (found.code === "ok") take(found);
    else if (!RETRY.includes(found.code)) onstate({ refused: found.message });
    return found;
  }

  function take(view) {
    if (closed || view.version < version) return; // never backwards
    if (view.since > Math.max(0, version)) return void check(); // a gap
    version = view.version;
    // What is left out is as it was.
    known = { ...known, ...view };
    onview(known);
  }

  function connect() {
    if (closed) return;
    let [opened, over] = [false, false];
    const up = (view) => {
      if (over) return;
      opened = true;
      tries = 0;
      onstate({ live: true });
      if (view) take(agreed(view));
    };
    const line = ways[0](up, async () => {
      if (over) return;
      end();
      if (closed) return;
      onstate({ live: false });
      // A way that failed twice and never worked is blocked: take the next.
      if (!opened && tries && ways.length > 1) [ways, tries] = [ways.slice(1), 0];
      await wait(backoff(++tries));
      connect();
    });
    end = () => {
      over = true;
      line();
    };
  }

  function socket(up, down) {
    const url = new URL(`${address("/socket")}&protocol=${PROTOCOL}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const line = new WebSocket(url);
    let heard = Date.now();
    const pulse = setInterval(() => {
      if (Date.now() - heard > SILENCE) down(); // half open
      else if (line.readyState === WebSocket.OPEN) line.send('{"type":"ping"}');
    }, PING);
    line.onmessage = ({ data }) => {
      heard = Date.now();
      const { view } = JSON.parse(data);
      if (view) up(view);
    };
    line.onclose = ({ code }) => {
      if (code === 4026) dispatchEvent(new Event("newversion"));
      down();
    };
    return () => {
      clearInterval(pulse);
      line.close();
    };
  }

  function stream(up, down) {
    const line = new EventSource(address("/events"));
    // A stream cannot be pinged.
    const look = setInterval(check, SILENCE);
    line.onmessage = ({ data }) => up(JSON.parse(data));
    line.onerror = down;
    return () => {
      clearInterval(look);
      line.close();
    };
  }

  function poll(up, down) {
    const look = async () => RETRY.includes((await check()).code) ? down() : up();
    const clock = setInterval(look, POLL);
    look();
    return () => clearInterval(clock);
  }

  /** Send until there is an answer; the server knows a command by its id. */
  async function insist(command) {
    tab(unsent, command);
    const slow = setTimeout(() => onstate({ saving: "Sending…" }), 150);
    for (let sent = 1; !closed; sent++) {
      const reply = await post(`${path}/commands`, command);
      clearTimeout(slow);
      if (!RETRY.includes(reply.code)) {
        tab(unsent, null);
        onstate({ saving: reply.code.startsWith("ok") ? "Saved ✓" : "" });
        return reply;
      }
      onstate({ saving: `Not saved – retrying (${sent})` });
      await wait(backoff(sent));
    }
    // It is sent when the game is opened again.
    return null;
  }

  connect();
  return {
    check,
    send: (body) => insist({ id: randomHex(), ...body }),
    resend: () => tab(unsent) && insist(tab(unsent)),
    close() {
      closed = true;
      end();
    },
  };
}
