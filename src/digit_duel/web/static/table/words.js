/** The texts of a table: whose side it is, and what to do next. */

import { capital } from "../app.js";

/** "Your", or "Ann's". */
export const whose = ({ seat, names }, at) => (at === seat ? "Your" : `${names[at]}'s`);

/** The class that gives a seat its colour. */
export const colour = ({ tint, below }, at) => (at === (tint ?? below) ? "one" : "two");

/** A prompt without the parts that only matter for typing. */
export const plainly = (prompt) => prompt.replace(/^[-\s]+|\s*\([^)]*\)|[:\s]+$/g, "").replace(/^(Enter|Select)/, "Choose");

/** What to do next, in a sentence. */
export function advice({ shown: { scene, names, seat, acting, moves, lead }, pick, found: { needs, asks, chosen } }) {
  const other = acting.length === 1 && acting[0] !== seat ? names[acting[0]] : ""; // on one device, and in a review
  const turn = lead ?? (other ? `${other}: ` : "Your turn: ");
  const [digit, place] = ["digit", "place"].map((key) => needs.includes(key));
  if (chosen) return "Ready.";
  const board = onEither(moves) ? " on either board" : "";
  if (digit && place) return `${turn}tap a digit and a place${board}.`;
  const drawn = dealt(scene) === null ? "" : `${other || "You"} drew ${a(dealt(scene))}`;
  if (place && drawn) return `${drawn}. Where does it go?`;
  if (place) return pick.digit == null ? `${turn}tap a place.` : `Where does the ${pick.digit} go?${board && ` Tap a place${board}.`}`;
  if (digit && pick.place) return "Which digit goes there?";
  if (digit && asks.length) return asks.some(({ key }) => key in pick) ? `${capital(pickedLabel(asks, pick))}: tap a digit.` : `${turn}tap a digit, then ${either(asks)}.`;
  const asked = `${plainly(moves[0].prompts[0])}.`;
  if (digit) return lead ? `${lead}${asked[0].toLowerCase()}${asked.slice(1)}` : capital(asked);
  if (!asks.length) return "";
  const labels = either(asks);
  if (pick.digit !== undefined && asks.some(({ options }) => options.length > 1)) return capital(`${labels} with the ${pick.digit}?`);
  if (other && seat !== null) return `${drawn || other}: ${labels}?`;
  return `${drawn && `${drawn}. `}${plainly(asks[0].prompt).replace(/\w$/, "$&.")}`;
}

/** "attack or defend". */
const either = ([{ options }]) => options.map(([, label]) => label).join(" or ");

/** Whether a digit may go to the board of either player. */
const onEither = (moves) => new Set(moves.map(({ spot }) => spot?.row)).size > 1;

/** The drawn digit that must be used now, if everybody at this table may see it. */
export const dealt = ({ drawn }) => (drawn && !drawn.hidden ? drawn.digit : null);

/** "a 7", or "an 8". */
export const a = (digit) => `${digit === 8 ? "an" : "a"} ${digit}`;

const pickedLabel = (asks, pick) => asks.flatMap(({ key, options }) => options.filter(([answer]) => answer === pick[key]))[0][1];

/** A move in words: "0 in your ones". */
export function inWords(shown, { spot, labels }) {
  const { cell, row, digit } = spot ?? {};
  return cell == null ? labels.join(" ") : `${digit ?? dealt(shown.scene)} in ${whose(shown, row).replace("Your", "your")} ${shown.scene.rows[row].cells[cell].label}`;
}
