/** The values of choices: the best three as a list, the others folded, and signs on tiles and places. */

import { traits } from "../choose.js";
import { h, press } from "../paint.js";

const MANY = { loses: "lose", "wins for sure": "win for sure", even: "are even" };
const EVERY = { loses: "every move loses", "wins for sure": "every move wins", even: "every move keeps it even" };
const tone = ({ value }) => (value > 0 ? "good" : value < 0 ? "bad" : "");

/** Says that all choices lead to the same result; "" if they differ, or if chances or secrets decide. */
export const alike = (options) => (options.length > 1 && options.every(({ text }) => text === options[0].text) && EVERY[options[0].text]) || "";

/** The list: each choice is a button that plays it; line is the best continuation, in notation. */
export function bestChoices(options, play, line) {
  const found = alike(options) ? options.map(byMargin) : options;
  const [best, others] = [found.slice(0, 3), found.slice(3)];
  return [
    h.ol({ class: "worths", key: "best" }, best.map((option) => item(option, play))),
    others.length > 0 && h.details({ key: "others" }, h.summary(folded(others)), h.ol({ class: "worths" }, others.map((option) => item(option, play))),
      line.length > 0 && h.p({ class: "soft", translate: "no" }, `Best line: ${line.join(" ")}`)),
  ];
}

/** A choice that leads to the same result as all others, which differ at most in the margin. */
const byMargin = (option) => ({ ...option, value: 0, symbol: "", text: option.value && option.margin ? `${option.value > 0 ? "wins" : "loses"} by ${Math.abs(option.margin)}` : option.text });

const item = (option, play) => h.li({ key: option.move },
  press([option.symbol && h.span({ class: `worth ${tone(option)}` }, option.symbol), h.span(h.b(option.words), ` ${option.text}`)], () => play(option.move), { class: option.best ? "best" : "" }));

/** The summary of the folded choices, such as "and 21 others lose". */
export function folded(others) {
  const [{ text }] = others;
  if (/ by /.test(text)) return `and ${others.length} more`;
  const count = `and ${others.length} ${others.length === 1 ? "other" : "others"}`;
  if (/%/.test(text)) return `${count}, at most ${text}`;
  return others.some((other) => other.text !== text) ? count : `${count} ${others.length === 1 ? text : MANY[text] ?? text}`;
}

/** Signs for a table: the value of the best choice with each digit, place and answer, given the pick; only the best ones if all are alike. */
export function signs(options, choices) {
  const all = alike(options);
  const marked = all ? options.filter(({ best }) => best).map((option) => ({ ...option, value: 0, symbol: "✓", text: `${option.text}, the best try` })) : options;
  const worth = new Map((marked.length < options.length || !all ? marked : []).map((option) => [option.move, option]));
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
