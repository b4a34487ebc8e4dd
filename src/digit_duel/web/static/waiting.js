/** The invitation: a link and its picture, until somebody has sat down. */

import { call, post } from "./api.js";
import { h } from "./paint.js";
import { pref, tab } from "./prefs.js";
import { begin } from "./begin.js";
import { go } from "./route.js";
import { speak } from "./speak.js";
import { copy } from "./words.js";

export function waiting(view, redraw) {
  if (!view.owner) return h("p", { key: "waiting" }, "This game has not begun. The one who opened it has sent the invitation to somebody else.");
  const invite = tab(`invite ${view.game}`);
  const anew = async () => {
    const found = await post(`/api/games/${view.game}/invite`);
    if (found.code === "ok") tab(`invite ${view.game}`, { url: found.url, qr: found.qr });
    redraw(found);
  };
  const cancel = async () => {
    const done = await call("DELETE", `/api/games/${view.game}/invite`);
    if (done.code === "ok") go("/");
    else redraw(done);
  };
  const meanwhile = async () => {
    const found = await begin({ variant: view.variant.id, settings: view.variant.settings, opponent: "computer", level: pref("level") || null, start: "coin", hints: false, match: null });
    if (found.game) go(`/g/${found.game}`);
    else redraw(found);
  };
  return h("section", { class: "invite", key: "waiting" },
    h("h2", null, "Invite a friend"),
    invite ? [
      h("label", { key: "link" }, "Send this link", h("input", { readonly: true, value: invite.url, onfocus: (event) => event.target.select() })),
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "primary", onclick: async (event) => speak((await copy(invite.url)) ? "Link copied." : "Please copy the link by hand.") }, "Copy link"),
        navigator.share && h("button", { type: "button", onclick: () => navigator.share({ title: "Digit Duel", text: "Play me at Digit Duel", url: invite.url }).catch(() => {}) }, "Share…")),
      picture(invite.qr),
    ] : h("p", { key: "again" }, "The link was shown in another tab. ", h("button", { type: "button", onclick: anew }, "Make a new link"), " The old one stops working then."),
    h("p", null, h("span", { class: "pulse", "aria-hidden": "true" }, "○ "), "Waiting. The first person who presses Join plays you."),
    h("p", { class: "soft" }, "You can close this page; the game stays in “Your games”."),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: meanwhile }, "Play the computer meanwhile"),
      h("button", { type: "button", onclick: cancel }, "Cancel invitation")));
}

/** A QR code from rows of bits: one path, one square a bit. */
function picture(rows) {
  const path = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : ""))).join("");
  const size = rows.length + 4;
  return h("svg", { class: "qr", key: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" },
    h("path", { class: "ground", d: `M0 0h${size}v${size}h-${size}z` }), h("path", { d: path }));
}
