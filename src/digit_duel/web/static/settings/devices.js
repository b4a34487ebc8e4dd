/** Your signed-in devices: end one session, leave this device, or leave everywhere; each asks for confirmation. */

import { h, press } from "../paint.js";
import { ask } from "../parts/dialog.js";
import { call, get, leave } from "../server.js";

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** Fetch the list; without a session there are no devices. */
export async function fetchDevices(show) {
  const me = await get("/api/me");
  const { sessions = [], message = "" } = me.signed_in ? await get("/api/me/sessions") : me;
  show({ sessions, problem: message });
}

export function devices({ sessions, problem }, show, close) {
  const gone = async (question, path) => {
    if (!(await ask(...question))) return;
    const answer = await leave(path);
    if (["ok", "forbidden"].includes(answer.code)) close(true);
    else show({ problem: answer.message });
  };
  const end = async ({ id, device }) => {
    if (!(await ask("End this session?", `${device ?? "That device"} is signed out, and its open games close there.`, "End it"))) return;
    const answer = await call("DELETE", `/api/me/sessions/${id}`);
    await fetchDevices(show);
    if (answer.code !== "ok") show({ problem: answer.message });
  };
  if (!sessions.length) return h.p({ class: "problem", role: "alert" }, problem);
  return [
    h.h3("Signed in"),
    h.ul({ class: "devices" }, sessions.map((session) => h.li({ key: session.id }, line(session), !session.this && press("End", () => end(session), { "aria-label": `End the session on ${session.device ?? "another device"}` })))),
    h.p({ class: "problem", role: "alert" }, problem),
    h.div({ class: "buttons" },
      press("Leave this device", () => gone(["Leave this device?", "Your games disappear from this browser. Only a code that you got before brings them back.", "Leave this device"], "/api/sessions")),
      press("Leave everywhere", () => gone(["Leave everywhere?", "All devices are signed out, and no code brings your games back.", "Leave everywhere"], "/api/me/sessions"))),
  ];
}

const line = ({ device, started, seen, this: mine }) => h.span(h.b(device ?? "A device"), mine && [" ", h.b({ class: "badge on" }, "this one")],
  h.small(started ? ` since ${day.format(started)}` : "", ` · last seen ${day.format(seen)}`));
