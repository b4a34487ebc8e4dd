/** Small parts of a game's page: the cover, offers, and the field for typing moves. */

import { h, press } from "../paint.js";

/** Hides the whole screen until the next player has the device. */
export const cover = ({ acting: [seat], players, variant: { hidden } }, uncover) => h.section({ class: `cover ${seat ? "two" : "one"}`, key: "cover" },
  h.h1(`Pass the device to ${players[seat].name}`), h.p(`${players[1 - seat].name}, please look away.`),
  press(`I am ${players[seat].name}, show ${hidden ? "my hand" : "the digits"}`, () => uncover(seat), { class: "primary big" }));

/** The open offers, from and to the other player. */
export const offers = ({ seats, players, offers: { takeback, clock } }, send) => [
  [takeback, "takeback", "take the last choice back"],
  [clock?.seat ?? null, "clock", `play with a clock of ${clock?.minutes} minutes each`, { minutes: clock?.minutes }],
].map(([seat, what, text, more]) => seat !== null && seats.length > 0 && h.p({ class: "banner", key: what, role: "alert" },
  seats.includes(seat) ? `You asked to ${text}.` : [`${players[seat].name} asks to ${text}.`,
    press("Agree", () => send({ do: what, ...more })), press("Decline", () => send({ do: "decline", what }))]));

/** The field for typing moves, in the row of the answers. */
export const command = (example, { secret, refusal, typed, close }) => h.form({ class: "command", key: "command", onsubmit: typed },
  h.label(h.span({ class: "hidden" }, "Type your move"), h.input({
    name: "text", autocomplete: "off", autocapitalize: "none", maxlength: 100, type: secret ? "password" : "text", placeholder: example,
    "aria-invalid": Boolean(refusal) && "true", "aria-describedby": "refusal", onkeydown: ({ key }) => void (key === "Escape" && close()),
  })), h.button({ class: "primary" }, "Play it"), press("✕", close, { "aria-label": "Close" }));

const duration = (seconds) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds)} seconds`);

/** Says when the game can be claimed from an absent player. */
export const away = (seconds, name) => `${name} is away. You can claim the game in ${duration(seconds)}.`;
