/** Small parts of a game's page: the cover, offers, and the field for typing moves. */

import { h, press } from "../paint.js";

/** Hides the whole screen until the next player has the device. */
export const cover = ({ acting: [seat], players, variant: { hidden }, opener }, uncover) => h.section({ class: `cover ${seat === opener ? "one" : "two"}`, key: "cover" },
  h.div({ class: "pass" }, h.h1(`Pass the device to ${players[seat].name}`), h.p(`${players[1 - seat].name}, please look away.`),
    press(`I am ${players[seat].name}, show ${hidden ? "my hand" : "the digits"}`, () => uncover(seat), { class: "primary big" })));

/** The open offers of a running game: by whom, which, in words, and more to send. */
const offered = ({ phase, offers: { takeback, clock } }) => phase !== "playing" ? [] : [
  [takeback, "takeback", "take a move back"],
  [clock?.seat ?? null, "clock", `play with a clock of ${clock?.minutes} minutes each`, { minutes: clock?.minutes }],
].filter(([seat]) => seat !== null);

/** The other player's offer, as a question to the reader. */
export function asked(view, send) {
  const [seat, what, text, more] = offered(view).find(([by]) => view.seats.length && !view.seats.includes(by)) ?? [];
  return what && { text: `${view.players[seat].name} asks to ${text}.`, buttons: [
    press("Agree", () => send({ do: what, ...more }), { key: "agree" }), press("Decline", () => send({ do: "decline", what }), { key: "decline" })] };
}

/** The reader's own offer, in a sentence. */
export function waits(view) {
  const [, , text] = offered(view).find(([by]) => view.seats.includes(by)) ?? [];
  return text && `You asked to ${text}.`;
}

/** The field for typing moves, in the row of the answers. */
export const command = (example, { secret, refusal, typed, close }) => h.form({ class: "command", key: "command", onsubmit: typed },
  h.label(h.span({ class: "hidden" }, "Type your move"), h.input({
    name: "text", autocomplete: "off", autocapitalize: "none", maxlength: 100, type: secret ? "password" : "text", placeholder: example,
    "aria-invalid": Boolean(refusal) && "true", "aria-describedby": "refusal", onkeydown: ({ key }) => void (key === "Escape" && close()),
  })), h.button({ class: "primary" }, "Play it"), press("✕", close, { "aria-label": "Close" }));

const duration = (seconds) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds)} seconds`);

/** Says when the game can be claimed from an absent player. */
export const away = (seconds, name) => `${name} is away. You can claim the game in ${duration(seconds)}.`;
