/** Requests to the server: every answer has a code, and having no answer is the code "offline". */

export const PROTOCOL = 1;
const PATIENCE = 8000; // milliseconds

let token = null; // where cookies are blocked, for as long as the page is open
const kept = {}; // answers that are asked for once

/** Ask the server; never throws. */
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

/** What the server sent; if it speaks otherwise than this page, the page is old. */
export function agreed(found) {
  if ((found.protocol ?? PROTOCOL) !== PROTOCOL) dispatchEvent(new Event("newversion"));
  return found;
}

async function once(name, make) {
  const answer = await (kept[name] ??= make());
  if (answer.code !== "ok") delete kept[name];
  return answer;
}

/** The games and levels. */
export const catalogue = () => once("catalogue", () => get("/api/catalogue"));

export const entry = async (id) => (await catalogue()).games?.find((game) => game.id === id);

/** Make sure that the server knows this browser; where cookies are blocked, until the page is closed. */
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

/** Whether streams, which cannot carry the token, have to be replaced by polling. */
export const onlyPolls = () => Boolean(token);

/** Go on as the person who has a code. */
export async function resume(code) {
  const answer = await post("/api/sessions/resume", { code, bearer: onlyPolls() });
  token = answer.token ?? token;
  delete kept.session;
  return answer;
}

export async function leave() {
  await call("DELETE", "/api/sessions");
  token = null;
  delete kept.session;
}

/** Random hexadecimal digits: a move's own id, or a seat's part in the deal. */
export const randomHex = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Take a seat. */
export async function sit(game, name, seat, invite = null) {
  const known = await session();
  return known.code === "ok" ? post(`/api/games/${game}/join`, { name, seat, invite, seed: randomHex() }) : known;
}
