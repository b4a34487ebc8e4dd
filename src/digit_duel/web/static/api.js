/** Requests to the server: every answer has a code, and having no answer is the code "offline". */

export const PROTOCOL = 1;

let token = null; // where cookies are blocked, for as long as the page is open
let seated = null;
let shelf = null;

/** Ask the server; never throws. */
export async function call(method, path, body) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  const options = { method, headers, body: body && JSON.stringify(body), signal: patience(8000) };
  let answer;
  try {
    answer = await fetch(path, options);
    if (!answer.headers.get("Content-Type")?.includes("json")) {
      return { code: answer.ok ? "ok" : "busy_retry", message: "The server is busy.", text: await answer.text() };
    }
    const found = await answer.json();
    agree(found);
    return answer.ok ? { code: "ok", ...found } : found;
  } catch {
    return { code: "offline", message: "There is no connection. Please try again." };
  }
}

/** Say so if the server speaks otherwise than this page, which is older then. */
export function agree({ protocol }) {
  if (protocol !== undefined && protocol !== PROTOCOL) dispatchEvent(new Event("newversion"));
}

function patience(milliseconds) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);

/** The games and levels, asked for once. */
export async function catalogue() {
  shelf ??= get("/api/catalogue").then((found) => {
    if (found.code !== "ok") shelf = null;
    return found;
  });
  return shelf;
}

/** The catalogue's entry of a game, if there is one. */
export async function entry(id) {
  return (await catalogue()).games?.find((game) => game.id === id);
}

/** Make sure that the server knows this browser; where cookies are blocked, until the page is closed. */
export async function session() {
  seated ??= begin().then((answer) => {
    if (answer.code !== "ok") seated = null;
    return answer;
  });
  return seated;
}

async function begin() {
  const me = await get("/api/me");
  if (me.code !== "ok" || me.signed_in) return me;
  const opened = await post("/api/sessions", { bearer: false });
  if (opened.code !== "ok" || (await get("/api/me")).signed_in) return opened;
  const lasting = await post("/api/sessions", { bearer: true });
  token = lasting.token ?? null;
  if (token) dispatchEvent(new Event("nocookies"));
  return lasting;
}

/** Take another session: after a resume code, or none after leaving. */
export async function resume(code) {
  const answer = await post("/api/sessions/resume", { code, bearer: token !== null });
  if (answer.code === "ok") [token, seated] = [answer.token ?? token, null];
  return answer;
}

export async function leave() {
  const answer = await call("DELETE", "/api/sessions");
  [token, seated] = [null, null];
  return answer;
}

/** Whether streams, which cannot carry the token, have to be replaced by polling. */
export const onlyPolls = () => token !== null;

/** Random hexadecimal digits: a move's own id, or a seat's part in the deal. */
export function randomHex(bytes = 16) {
  const numbers = crypto.getRandomValues(new Uint8Array(bytes));
  return [...numbers].map((number) => number.toString(16).padStart(2, "0")).join("");
}
