/** The end of a round or a game: who won, why, the score, and what to do next. */

import { capital, short } from "../app.js";
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
  if (better.length === 1) return `${beats} by ${Math.abs(digit - worse[decided].digit)}.`;
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

/** The score of a match before this game, if there is one yet: "1 – 0", this seat first. */
export const standing = ({ number, score }, first) => (number > 1 ? `${score[first]} – ${score[1 - first]}` : "");

/** The verdict on a game. */
export function gameVerdict({ result: { winner, why: reason, sealed, early }, scene, match, game, seal }, around) {
  const { me, names, first } = around;
  const title = winner === null ? "A draw" : winner === me ? "You win!" : me === null ? `${names[winner]} wins!` : "You lose";
  const score = match.score.map((won, seat) => won + (winner === seat ? 1 : 0));
  const series = match.number > 1 || match.text || winner !== null;
  const digits = early ? "" : why(scene, winner);
  const called = (seat) => h.bdi(seat === me ? "You" : names[seat]);
  return {
    title, winner, cheer: winner !== null && (me === null || winner === me), label: "The result", sentence: digits || reason, goal: Boolean(digits),
    more: [
      series && h.p({ key: "match", class: "score" }, `${capital(match.text ?? "games")}: `, called(first), " ", h.b(score[first]), " – ", h.b(score[1 - first]), " ", called(1 - first)),
      sealed && h.p({ key: "sealed" }, h.a({ href: `/verify/${game}`, title: `Sealed before the start with ${short(seal)}` }, "Check that it was fair")),
    ],
  };
}

/** What can be done after a game. */
export function afterwards(view, { me }, send) {
  const { players, seats, offers: { rematch }, next, game, scene, result: { decides } } = view;
  const [what, title] = decides ? ["rematch", "Rematch"] : ["next game", "Next game"];
  const again = rematch !== null && rematch === me ? press(`${title} offered`, () => {}, { key: "again", disabled: true })
    : press(rematch === null ? title : `Accept ${players[rematch].name}'s ${what}`, () => send({ do: "rematch", seed: randomHex() }), { key: "again", class: "primary" });
  return [
    next ? h.a({ key: "next", class: "button primary", href: `/g/${next}` }, `Open ${what}`) : scene && seats.length > 0 && again,
    scene && h.a({ key: "review", class: "button", href: `/g/${game}/analysis` }, "Review"),
    press("Share", () => share(view), { key: "share" }),
  ];
}
