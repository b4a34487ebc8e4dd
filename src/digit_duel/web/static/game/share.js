/** Shares a finished game's picture and link, through the device's share dialog or else by hand. */

import { capital, copied } from "../app.js";
import { h, press } from "../paint.js";
import { dialog } from "../parts/dialog.js";

/** Share a game; the link's preview is the same picture, which the server draws from public data. */
export async function share({ game, variant, result: { closing } }) {
  const told = { text: `Digit Duel, ${capital(variant.id)}: ${closing.replace(/\n+/g, " ")}`, url: location.href };
  const file = navigator.canShare && (await picture(game));
  const whole = file && navigator.canShare({ files: [file] }) ? { ...told, files: [file] } : told;
  if (!navigator.share || !(await handed(whole))) await byHand(game, told);
}

const address = (game) => `/api/games/${game}/picture`;

/** The picture as a file; null without a connection, and then the link is shared alone. */
async function picture(game) {
  const answer = await fetch(address(game)).catch(() => null);
  return answer?.ok ? new File([await answer.blob()], "digit-duel.png", { type: "image/png" }) : null;
}

/** Select the whole link, and show its beginning. */
function showStart({ target }) {
  target.select();
  requestAnimationFrame(() => (target.scrollLeft = 0));
}

/** Whether the data was shared or the player cancelled; false if the browser refused. */
const handed = (data) => navigator.share(data).then(() => true, ({ name }) => name === "AbortError");

/** Copy the link, and offer the picture for saving. */
async function byHand(game, { text, url }) {
  let said = null;
  const copyAll = (redraw) => {
    said = "";
    copied(`${text} ${url}`).then((done) => redraw((said = done)));
  };
  await dialog("Share this game", (close, redraw) => [
    said === null && copyAll(redraw),
    h.img({ class: "shared", src: address(game), alt: "The final table, as the link shows it", width: 1200, height: 630 }),
    h.label("Link", h.input({ readonly: true, value: url, onfocus: showStart })),
    h.p({ role: "status" }, said),
    h.div({ class: "buttons" }, press("Copy link", () => copyAll(redraw), { class: "primary", autofocus: true }),
      h.a({ class: "button", href: address(game), download: "digit-duel.png" }, "Save picture"), press("Close", () => close())),
  ], "sharing");
}
