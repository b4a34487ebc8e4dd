/** Below the table: the status line, and the answers to choose from. */

import { capital } from "../app.js";
import { h, press } from "../paint.js";
import { advice, inWords, plainly } from "./words.js";

export function foot(context) {
  const { news, message, alert, moves, pending, foot: more, instead, question, ended } = context.shown;
  if (question) return h.div({ class: "foot", key: "foot" }, h.div({ class: "question", key: "question" }, h.p({ role: "alert" }, alert || question.text), question.buttons));
  if (ended) return h.div({ class: "foot", key: "foot" }, h.div({ class: "ended", key: "ended" }, h.h2({ tabindex: "-1" }, ended.title), h.p(ended.sentence), ended.more), h.div({ class: "asks" }, more));
  const picked = Object.keys(context.pick).length > 0;
  const text = moves.length && !pending ? advice(context) : message;
  return h.div({ class: "foot", key: "foot" },
    h.p({ class: "message" }, h.b({ id: "refusal", class: "problem", role: "alert", key: "alert" }, line(alert)),
      !alert && news && !(moves.length && picked) && h.span({ class: "news", key: "news" }, line(news), " "),
      h.b({ class: alert ? "headline hidden" : "headline", tabindex: "-1", key: "headline" }, line(text))),
    h.div({ class: "asks" }, instead || [confirmed(context) || context.found.asks.map((ask) => answers(context, ask)), more]));
}

/** A new element for each sentence: changing centred text in place would count as a layout shift. */
const line = (text) => text && h.span({ key: text }, text);

function answers(context, { key, prompt, options }) {
  const { shown: { moves, confirm, pending }, pick, badges, tap } = context;
  return h.fieldset({ key }, h.legend({ class: "hidden" }, plainly(prompt)), options.map(([answer, label]) => {
    const badge = badges.answers?.[answer];
    return press([badge && h.span({ class: `sign ${badge.tone ?? ""}`, "aria-hidden": "true" }, badge.sign), `${capital(label)} `, effect(context, key, answer)], () => tap(key, answer), {
      key: answer, class: "answer", disabled: Boolean(pending),
      "aria-label": badge?.text && `${capital(label)}, ${badge.text}`,
      "aria-pressed": (confirm || pending || moves[0].spot) && String(pick[key] === answer),
    });
  }));
}

/** How an answer changes a player's points: "Ben 20 → 13" or, before a digit is picked, "Ben loses life". */
function effect({ shown: { moves, scene, names, acting }, pick }, key, answer) {
  const digit = pick.digit ?? null;
  const { points } = moves.find(({ answers, spot }) => answers[key] === answer && (digit === null || spot?.digit === digit))?.spot ?? {};
  if (!points) return null;
  const at = points > 0 ? acting[0] : 1 - acting[0];
  const { label, value, most } = scene.rows[at].meters[0];
  const s = names[at] === "You" ? "" : "s";
  const told = digit === null ? `${points > 0 ? "gain" : "lose"}${s} ${label}` : `${value} → ${Math.min(value + points, most)}`;
  return h.small({ key: told }, h.bdi(names[at]), " ", h.span(told));
}

/** The buttons to confirm a move, if the player has chosen that setting. */
function confirmed({ shown, found: { chosen }, undo }) {
  if (!chosen || !shown.confirm || shown.pending) return null;
  return h.div({ class: "confirm", key: "confirm" },
    press(`Play ${inWords(shown, chosen)}`, () => shown.play(chosen), { class: "primary", key: "play" }), press("Undo", undo, { key: "undo" }));
}
