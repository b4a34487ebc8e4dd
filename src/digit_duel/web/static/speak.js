/** The one live region: each sentence is put there once, in order, for eyes and for screen readers. */

import { h, paint } from "./paint.js";

const KEPT = 6; // sentences stay a while, for readers that come late; removing one says nothing
const region = document.getElementById("status");
let said = [];
let count = 0;
let saving = "";

function show() {
  paint(
    region,
    said.map(({ key, text }) => h("p", { key }, text)),
    saving && h("p", { key: "saving", class: "saving" }, saving),
  );
}

/** Say one sentence. */
export function speak(text) {
  if (!text) return;
  said = [...said, { key: ++count, text }].slice(-KEPT);
  show();
}

/** Say how the last choice fares on its way to the server. */
export function speakSaving(text) {
  saving = text;
  show();
}

/** Forget what was said, before somebody else looks at the screen. */
export function hush() {
  said = [];
  saving = "";
  show();
}
