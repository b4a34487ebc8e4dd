/** The end of a round or a game: who won, why, and what to do next. */

import { short } from "../app.js";
import { h, press } from "../paint.js";
import { randomHex } from "../server.js";
import { share } from "./share.js";

const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "last"];

/** Which place decided between two numbers; "" if none did. */
function why({ rows, decided }, winner) {
  if (decided === null || winner === null) return "";
  const [better, worse] = [winner, 1 - winner].map((seat) => rows[seat].cells);
  const { label, digit } = better[decided];
  const beats = `${digit} beats ${worse[decided].digit}`;
  if (better.length === 1) return `${beats}.`;
  if (!label) return decided ? `Equal up to the ${PLACES[decided]} digit: ${beats}.` : `The first digit decides: ${beats}.`;
  return `${decided === 1 ? `Equal ${better[0].label}: ` : decided ? "Equal up to there: " : ""}${beats} in the ${label}.`;
}

const says = (winner, { me, names }, wins) =>
  winner === null ? "" : winner === me ? `You win${wins}` : `${names[winner]} ${wins ? `wins${wins}` : "wins!"}`;

/** The verdict on a round: between two numbers, or two single digits. */
export function roundVerdict({ scene, place, text }, around) {
  const winner = place?.row ?? null;
  const decided = scene.decided ?? (scene.rows[0].cells.length === 1 ? 0 : null);
  return { title: says(winner, around, " the round") || "A tie", sentence: why({ ...scene, decided }, winner) || scene.facts.join(" ") || text, winner, label: "The round" };
}

/** The verdict on a game. */
export function gameVerdict({ result: { winner, closing, sealed }, scene, match, game, seal }, around) {
  const { me, names } = around;
  const title = winner === null ? "A draw" : winner === me ? "You win!" : me === null ? `${names[winner]} wins!` : "You lose";
  const score = match.score.map((won, seat) => won + (winner === seat ? 1 : 0));
  const series = match.number > 1 || match.text;
  return {
    title, winner, label: "The result", sentence: why(scene, winner) || closing.split("\n\n").at(-1),
    more: [
      series && h.p({ key: "match", class: "score" }, match.text && `${match.text}: `, names.map((name, seat) => [seat ? " – " : "", h.bdi(name), " ", h.b(score[seat])])),
      sealed && h.p({ key: "sealed" }, h.a({ href: `/verify/${game}`, title: `Sealed before the start with ${short(seal)}` }, "Check that it was fair")),
    ],
  };
}

/** What can be done after a game. */
export function afterwards(view, { me }, send) {
  const { players, seats, offers: { rematch }, next, game, scene } = view;
  const again = rematch !== null && rematch === me ? press("Rematch offered ●", () => {}, { key: "again", disabled: true })
    : press(rematch === null ? "Rematch" : `Accept ${players[rematch].name}'s rematch ●`, () => send({ do: "rematch", seed: randomHex() }), { key: "again", class: "primary" });
  return [
    next ? h.a({ key: "next", class: "button primary", href: `/g/${next}` }, "Open rematch") : scene && seats.length > 0 && again,
    scene && h.a({ key: "review", class: "button", href: `/g/${game}/analysis` }, "Review"),
    press("Share", () => share(view), { key: "share" }),
  ];
}
