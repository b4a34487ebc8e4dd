/** While nobody has joined: the link for a friend, to send, to scan, or to cancel. */

import { copy, go, pref, tab } from "../app.js";
import { begin } from "../home.js";
import { h, press } from "../paint.js";
import { call, post } from "../server.js";

export function waiting({ game, owner, variant: { id, settings } }, told) {
  if (!owner) return h.p("This game has not begun.");
  const [key, path] = [`invite ${game}`, `/api/games/${game}/invite`];
  const { url, qr } = tab(key) ?? {};
  const tried = async (asked, then) => {
    const answer = await asked;
    if (answer.code === "ok") then(answer);
    told(answer.message);
  };
  return h.section({ class: "panel invite" }, h.h2("Invite a friend"),
    url ? [h.label("Send this link", h.input({ readonly: true, value: url, onfocus: (event) => event.target.select() })),
      h.div({ class: "buttons" }, press("Copy link", () => copy(url), { class: "primary" }),
        navigator.share && press("Share…", () => navigator.share({ url }).catch(() => {}))),
      picture(qr)]
      : h.p("A new link replaces the old one. ", press("Make a new link", () => tried(post(path), (answer) => tab(key, answer)))),
    h.p({ class: "soft" }, "The first person who presses Join plays you. You can close this page: the game waits in “Your games”."),
    h.div({ class: "buttons" },
      press("Play the computer meanwhile", () => tried(begin({ variant: id, settings, opponent: "computer", level: pref("level") || null, start: "coin" }), () => {})),
      press("Cancel invitation", () => tried(call("DELETE", path), () => go("/")))));
}

/** A QR code: one path with a square for each dark bit. */
function picture(rows) {
  const size = rows.length + 4;
  const path = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : ""))).join("");
  return h.svg({ class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" }, h.path({ d: path }));
}
