/** The page of a friend's invitation: join, or watch. */

import { capital, entitle, go, pref, setPref } from "./app.js";
import { paragraphs, special } from "./guide.js";
import { h, paint } from "./paint.js";
import { missing } from "./parts/nowhere.js";
import { catalogue, get, sit } from "./server.js";
import "./table/table.js";

export function open(main, id) {
  invitation(main, id);
}

async function invitation(main, id) {
  const secret = location.hash.slice(1);
  const view = await get(`/api/games/${id}?as=watcher`);
  const game = (await catalogue()).games?.find(({ id }) => id === view.variant?.id);
  let [problem, taken] = ["", view.phase !== "waiting"];
  draw();

  async function join(event) {
    event.preventDefault();
    setPref("name", new FormData(event.target).get("name").trim());
    const answer = await sit(`/api/games/${id}/join`, { name: pref("name") || "Player 2", invite: secret });
    if (answer.code === "ok") {
      // Remove the secret from the address and the history.
      history.replaceState(null, "", "/");
      return go(`/g/${id}`);
    }
    problem = answer.code === "seat_taken" ? "" : answer.message; // said below
    taken ||= answer.code === "seat_taken";
    draw();
  }

  function draw() {
    if (!game) return paint(main, missing("No game here", view));
    const host = view.players.find((player) => player.name)?.name ?? "Somebody";
    const watch = h.a({ class: "button", href: `/g/${id}` }, taken ? "Watch instead" : "Just watch");
    entitle(`${host} invites you`);
    paint(main, h.div({ class: "prose invited" },
      picture(game),
      h.h1(h.bdi(host), ` invites you to ${[game.id, view.variant.edition].filter(Boolean).map(capital).join(" ")}`),
      h.p({ class: "lead" }, game.summary),
      h.p({ class: "problem", role: "alert" }, problem),
      view.seats.length > 0 ? h.p("This is your own invitation: send it to a friend. ", h.a({ href: `/g/${id}` }, "Go to game"))
        : taken ? [h.p("This seat is taken. If it is yours, enter your resume code in the settings."), watch]
        : h.form({ onsubmit: join }, h.label("Your name", h.input({ name: "name", value: pref("name"), maxlength: 24, autocomplete: "nickname", placeholder: "Player 2" })), h.div({ class: "buttons" }, h.button({ class: "primary" }, "Join"), watch)),
      h.section({ class: "brief" }, h.h2("Rules in brief"), special(view.variant), paragraphs(game.rules).slice(1, 3))));
  }
}

/** A position in the middle of the game's example. */
const picture = ({ demo }) => demo.length > 0 && h.div({ class: "mini", key: "mini", "aria-hidden": "true" },
  h["duel-table"]({ show: { scene: demo[Math.floor(demo.length / 2)], mini: true, still: true } }));
