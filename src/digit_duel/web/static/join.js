/** The page behind an invitation: who invites, to what, and one button to sit down. */

import { entry, get, session } from "./api.js";
import { sit } from "./begin.js";
import { h, paint } from "./paint.js";
import { pref, setPref } from "./prefs.js";
import { go, rename } from "./route.js";
import { capital } from "./words.js";

export function open(main, id) {
  const secret = location.hash.slice(1);
  const state = { view: null, game: null, problem: "", name: pref("name") };
  const draw = () => paint(main, page(state, join, id));
  const join = async (event) => {
    event.preventDefault();
    const name = new FormData(event.target).get("name").trim() || "Player 2";
    setPref("name", name);
    const known = await session();
    const answer = known.code === "ok" ? await sit(id, { name, seat: null, invite: secret }) : known;
    if (answer.code === "ok") {
      rename(`/g/${id}`); // the secret leaves the address and the history
      return go(`/g/${id}`);
    }
    state.problem = answer.message;
    state.taken = answer.code === "seat_taken" || answer.code === "game_over";
    draw();
  };
  get(`/api/games/${id}?as=watcher`).then(async (view) => {
    if (view.code !== "ok") state.problem = view.message;
    else [state.view, state.game] = [view, await entry(view.variant.id)];
    if (state.view?.seats.length) rename(`/j/${id}`);
    draw();
  });
  paint(main, h("p", { class: "soft" }, "One moment…"));
}

function page({ view, game, problem, name, taken }, join, id) {
  if (!view) return [h("h1", null, "No game here"), h("p", { role: "alert" }, problem), h("p", null, h("a", { href: "/" }, "To the games"))];
  const host = view.players.find(({ kind }) => kind === "person")?.name || "Somebody";
  const watch = h("a", { class: "button", href: `/g/${id}` }, taken || view.phase !== "waiting" ? "Watch instead" : "Just watch");
  document.title = `${host} invites you – Digit Duel`;
  if (view.seats.length) {
    return [h("h1", null, "Your own invitation"), h("p", null, "This link is for a friend: whoever presses Join first plays you."), h("p", null, h("a", { class: "button primary", href: `/g/${id}` }, "To the game"))];
  }
  return h("div", { class: "join" },
    h("h1", null, h("bdi", null, host), ` invites you to ${capital(view.variant.id)}`),
    h("p", { class: "lead" }, view.variant.summary),
    problem && h("p", { class: "problem", role: "alert" }, problem),
    view.phase === "waiting" && !taken
      ? h("form", { onsubmit: join }, h("label", null, "Your name", h("input", { name: "name", value: name, maxlength: 24, autocomplete: "nickname", placeholder: "Player 2" })),
        h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary big" }, "Join"), watch))
      : [!problem && h("p", null, "This seat is taken. You can watch, or use your resume code in the settings if it is yours."), watch],
    game && h("section", { class: "prose" }, h("h2", null, "Rules in short"), h("p", null, game.rules.split("\n\n").slice(0, 2).join(" "))));
}
