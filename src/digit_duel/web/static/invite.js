/** The two sides of an invitation: a link and its picture, and the page behind the link. */

import { call, entry, get, post, sit } from "./api.js";
import { go } from "./app.js";
import { begin } from "./home.js";
import { h, paint, press } from "./paint.js";
import { pref, setPref, tab } from "./settings.js";
import { capital, copy } from "./speak.js";

/** The side of the one who invites, until somebody has sat down. */
export function waiting({ game, owner, variant }, told) {
  if (!owner) return h.p("This game has not begun. The invitation was sent to somebody else.");
  const invite = tab(`invite ${game}`);
  const path = `/api/games/${game}/invite`;
  const answered = ({ code, message }, then) => (code === "ok" ? then() : told(message));
  const anew = async () => {
    const found = await post(path);
    answered(found, () => told("", tab(`invite ${game}`, found)));
  };
  return h.section({ class: "panel invite" }, h.h2("Invite a friend"),
    invite?.url ? [
      h.label("Send this link", h.input({ readonly: true, value: invite.url, onfocus: (event) => event.target.select() })),
      h.div({ class: "buttons" }, press("Copy link", () => copy(invite.url), { class: "primary" }),
        navigator.share && press("Share…", () => navigator.share({ url: invite.url }).catch(() => {}))),
      picture(invite.qr),
    ] : h.p("The link was shown in another tab; a new one replaces it. ", press("Make a new link", anew)),
    h.p("○ Waiting. The first person who presses Join plays you. You can close this page; the game stays in “Your games”."),
    h.div({ class: "buttons" },
      press("Play the computer meanwhile", async () => {
        const settings = { variant: variant.id, settings: variant.settings, opponent: "computer", level: pref("level") || null, start: "coin" };
        answered(await begin(settings), () => {});
      }),
      press("Cancel invitation", async () => answered(await call("DELETE", path), () => go("/")))));
}

/** A QR code from rows of bits: one path, one square a bit. */
function picture(rows) {
  const size = rows.length + 4;
  const path = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : ""))).join("");
  return h.svg({ class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" }, h.path({ d: path }));
}

/** The side of the one who is invited. */
export function open(main, id) {
  const secret = location.hash.slice(1);
  let [view, game, problem, taken] = [null, null, "", false];

  async function join(event) {
    event.preventDefault();
    const name = new FormData(event.target).get("name").trim() || "Player 2";
    setPref("name", name);
    const answer = await sit(id, name, null, secret);
    if (answer.code === "ok") {
      history.replaceState(null, "", "/"); // the secret leaves the address and the history
      return go(`/g/${id}`);
    }
    problem = answer.message;
    taken = answer.code === "seat_taken";
    draw();
  }

  function draw() {
    if (!view) return paint(main, h.h1("No game here"), h.p({ role: "alert" }, problem));
    const host = view.players.find(({ name }) => name)?.name ?? "Somebody";
    const free = view.phase === "waiting" && !taken;
    const watch = h.a({ class: "button", href: `/g/${id}` }, free ? "Just watch" : "Watch instead");
    const field = h.input({ name: "name", value: pref("name"), maxlength: 24, autocomplete: "nickname", placeholder: "Player 2" });
    document.title = `${host} invites you – Digit Duel`;
    paint(main, h.div({ class: "prose" },
      h.h1(h.bdi(host), ` invites you to ${capital(view.variant.id)}`),
      h.p({ class: "lead" }, view.variant.summary),
      h.p({ class: "problem", role: "alert" }, problem),
      view.seats.length > 0 ? h.p("This is your own invitation: send it to a friend. ", h.a({ href: `/g/${id}` }, "To the game"))
        : free ? h.form({ onsubmit: join }, h.label("Your name", field), h.div({ class: "buttons" }, h.button({ class: "primary big" }, "Join"), watch))
        : [h.p("This seat is taken. You can watch, or enter your resume code in the settings if it is yours."), watch],
      h.h2("Rules in short"), game?.rules.split("\n\n").slice(0, 2).map((text) => h.p(text))));
  }

  get(`/api/games/${id}?as=watcher`).then(async (found) => {
    if (found.code === "ok") [view, game] = [found, await entry(found.variant.id)];
    else problem = found.message;
    draw();
  });
}
