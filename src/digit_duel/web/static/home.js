/** The home page: your games, and one click to a new one. */

import { catalogue, get } from "./api.js";
import { h, paint } from "./paint.js";
import { pref, setPref } from "./prefs.js";
import { go } from "./route.js";
import { begin } from "./begin.js";
import { capital } from "./words.js";

const LEVEL = "sharp"; // where the server knows it; else its middle one

export function open(main, wanted) {
  const state = { shelf: null, games: [], wanted, busy: false, problem: "" };
  const draw = () => paint(main, page(state, draw));
  draw();
  catalogue().then((shelf) => {
    if (shelf.code !== "ok") state.problem = shelf.message;
    else state.shelf = shelf;
    draw();
  });
  get("/api/me").then((me) => {
    state.games = me.games ?? [];
    draw();
  });
}

function page(state, draw) {
  const { shelf, games, problem } = state;
  return [
    h("h1", { class: "hero" }, "A duel of digits"),
    h("p", { class: "lead" }, "Short games for two with a handful of digits. Play the computer, a friend far away, or each other on one device."),
    problem && h("p", { class: "problem", role: "alert" }, problem),
    games.length > 0 && yours(games),
    shelf && form(state, draw),
  ];
}

function yours(games) {
  const running = games.filter(({ phase }) => phase !== "over");
  const over = games.filter(({ phase }) => phase === "over").slice(0, 3);
  return h("section", { class: "yours", "aria-labelledby": "yours" },
    h("h2", { id: "yours" }, "Your games"),
    h("ul", null, [...running, ...over].map((game) => h("li", { key: game.game },
      h("a", { href: `/g/${game.game}` },
        h("b", null, capital(game.variant)), " ", h("bdi", null, game.names.filter(Boolean).join(" – ") || "open"),
        h("span", { class: game.your_turn ? "badge on" : "badge" }, standing(game)))))));
}

const standing = (game) =>
  game.result ?? (game.phase === "waiting" ? "waiting" : game.phase === "over" ? "over" : game.your_turn ? "your turn ▸" : "their turn");

function form(state, draw) {
  const { shelf } = state;
  const levels = shelf.levels.map(({ id }) => id);
  const game = shelf.games.find(({ id }) => id === (state.wanted ?? pref("game"))) ?? shelf.games[0];
  const level = levels.includes(pref("level")) ? pref("level") : levels.includes(LEVEL) ? LEVEL : levels[levels.length >> 1];
  const choose = (id) => {
    state.wanted = id;
    setPref("game", id);
    draw();
  };
  const start = async (event, opponent) => {
    event.preventDefault();
    if (state.busy) return;
    const fields = new FormData(event.target.form ?? event.target);
    state.busy = true;
    state.problem = "";
    for (const name of ["name", "other", "start", "level"]) setPref(name, fields.get(name) ?? pref(name));
    const settings = Object.fromEntries(game.options.flatMap((option) => {
      const value = fields.get(`set ${option.name}`)?.trim();
      return value && value !== option.default ? [[option.name, value]] : [];
    }));
    const answer = await begin({ variant: game.id, settings, opponent, level: fields.get("level"), start: fields.get("start"), hints: fields.has("hints"), match: fields.get("match") || null });
    state.busy = false;
    if (answer.game) return go(`/g/${answer.game}`);
    state.problem = answer.message;
    draw();
  };
  return h("form", { class: "start", onsubmit: (event) => start(event, "computer") },
    h("fieldset", { class: "shelf" }, h("legend", null, "Pick a game"),
      shelf.games.map((each, at) => h("label", { key: each.id, class: "card" },
        h("input", { type: "radio", name: "game", value: each.id, checked: each === game, onchange: () => choose(each.id) }),
        h("span", { class: "tile", "aria-hidden": "true" }, at + 1),
        h("span", null, h("b", null, capital(each.id)), h("span", { class: "soft" }, each.summary))))),
    h("div", { class: "against" },
      h("h2", null, `Play ${capital(game.id)}`),
      h("button", { class: "primary big", type: "submit" }, "Play the computer"),
      h("button", { class: "big", type: "button", onclick: (event) => start(event, "friend") }, "Invite a friend"),
      h("button", { class: "big", type: "button", onclick: (event) => start(event, "same_device") }, "Two on this device"),
      h("label", null, "Level of the computer",
        h("select", { name: "level" }, shelf.levels.map(({ id, about }) => h("option", { key: id, value: id, selected: id === level }, `${capital(id)}: ${about}`)))),
      h("fieldset", { class: "inline" }, h("legend", null, "Who starts"),
        [["coin", "Toss a coin"], ["me", "Me"], ["other", "The other"]].map(([value, label]) => h("label", { key: value },
          h("input", { type: "radio", name: "start", value, checked: pref("start") === value }), label))),
      h("label", null, "Your name", h("input", { name: "name", value: pref("name"), maxlength: 24, autocomplete: "nickname", placeholder: "Player 1" })),
      more(game)),
  );
}

function more(game) {
  return h("details", null, h("summary", null, "More options"),
    h("label", null, "Second name, for two on this device", h("input", { name: "other", value: pref("other"), maxlength: 24, autocomplete: "off", placeholder: "Player 2" })),
    h("label", null, "Match", h("select", { name: "match" }, [["", "single games"], ["first to 2", "first to 2"], ["first to 3", "first to 3"], ["best of 3", "best of 3"], ["best of 5", "best of 5"]]
      .map(([value, label]) => h("option", { key: value, value }, label)))),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "hints" }), "Hints against the computer"),
    game.options.length > 0 && h("fieldset", { class: "rules" }, h("legend", null, "House rules"),
      game.options.map((option) => h("label", { key: `${game.id} ${option.name}` }, option.name.replaceAll("_", " "),
        h("input", { name: `set ${option.name}`, value: option.default, autocomplete: "off" })))),
    h("p", null, h("a", { href: `/rules/${game.id}` }, "Rules"), " · ", h("a", { href: `/analysis/${game.id}` }, "Analysis board")));
}
