/** The coach's card above a table: what to do, and whether a choice was good.
 *
 * coach({ label, text, detail, tone, before, after }): detail is in smaller print; tone is "" for a task, "good", "again" or "bad",
 * and each tone has a sign besides its colour; before and after are descriptions to put beside the text.
 */

import { h } from "../paint.js";

const SIGNS = { good: "✓", again: "↺", bad: "✗" };

export const coach = ({ label, text, detail, tone = "", before, after }) => h.section({ class: `coach ${tone}`, "aria-label": label, key: "coach" },
  before, h.div({ class: "said" }, h.h2({ tabindex: "-1" }, SIGNS[tone] && h.span({ class: "mark", "aria-hidden": "true" }, SIGNS[tone]), text), detail && h.p({ class: "detail" }, detail)),
  after && h.div({ class: "more-to-do" }, after));
