/** The values of choices: the best three as a list, the others folded, and signs on tiles and places. */

import { traits } from "../choose.js";
import { h, press } from "../paint.js";

const MANY = { loses: "lose", "wins for sure": "win for sure", even: "are even" };
const tone = ({ value }) => (value > 0 ? "good" : value < 0 ? "bad" : "");

/** The list: each choice is a button that plays it; line is the best continuation, in notation. */
export function bestChoices(options, play, line) {
  const [best, others] = [options.slice(0, 3), options.slice(3)];
  return [
    h.ol({ class: "worths", key: "best" }, best.map((option) => item(option, play))),
    others.length > 0 && h.details({ key: "others" }, h.summary(folded(others)), h.ol({ class: "worths" }, others.map((option) => item(option, play))),
      line.length > 0 && h.p({ class: "soft", translate: "no" }, `Best line: ${line.join(" ")}`)),
  ];
}

const item = (option, play) => h.li({ key: option.move },
  press([h.span({ class: `worth ${tone(option)}` }, option.symbol), h.span(h.b(option.words), ` ${option.text}`)], () => play(option.move), { class: option.best ? "best" : "" }));

/** The summary of the folded choices, such as "and 21 others lose". */
export function folded(others) {
  const [{ text }] = others;
  const count = `and ${others.length} ${others.length === 1 ? "other" : "others"}`;
  if (/%/.test(text)) return `${count}, at most ${text}`;
  return others.some((other) => other.text !== text) ? count : `${count} ${others.length === 1 ? text : MANY[text] ?? text}`;
}

/** Signs for a table: the value of the best choice with each digit, place and answer, given the pick. */
export function signs(options, choices) {
  const worth = new Map(options.map((option) => [option.move, option]));
  const known = choices.filter(({ move }) => worth.has(move)).map((choice) => [traits(choice), worth.get(choice.move)]);
  return (pick) => {
    const by = (keys) => bestBy(known, pick, keys);
    return { digits: by(["digit"]), places: by(["place"]), answers: by(choices[0] ? Object.keys(choices[0].answers) : []) };
  };
}

function bestBy(known, pick, keys) {
  const found = {};
  for (const key of keys) for (const [trait, option] of known) {
    const fits = Object.entries(pick).every(([other, value]) => other === key || trait[other] === value);
    if (fits && !(found[trait[key]]?.value >= option.value)) found[trait[key]] = option;
  }
  return Object.fromEntries(Object.entries(found).map(([at, option]) => [at, badge(option)]));
}

const badge = (option) => ({ sign: /%/.test(option.text) ? option.text.replace("under ", "<").replace("over ", ">") : option.symbol, tone: tone(option), text: option.text });
