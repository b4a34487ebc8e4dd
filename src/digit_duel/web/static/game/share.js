/** Shares a finished game: its picture and its link, to an app of the device where the browser can do that, or else by hand. */

import { capital, copy } from "../app.js";
import { h, press } from "../paint.js";
import { dialog } from "../parts/dialog.js";

/** Share; the link previews as the same picture, which the server draws from what anybody may see. */
export async function share({ game, variant, result: { closing } }) {
  const told = { text: `Digit Duel, ${capital(variant.id)}: ${closing.replace(/\n+/g, " ")}`, url: location.href };
  const file = navigator.canShare && (await picture(game));
  const whole = file && navigator.canShare({ files: [file] }) ? { ...told, files: [file] } : told;
  if (!navigator.share || !(await handed(whole))) await byHand(game, told);
}

const address = (game) => `/api/games/${game}/picture`;

/** The picture as a file, or nothing without a connection: the link is shared all the same. */
async function picture(game) {
  const answer = await fetch(address(game)).catch(() => null);
  return answer?.ok ? new File([await answer.blob()], "digit-duel.png", { type: "image/png" }) : null;
}

/** Whether the device took it, or its owner thought better of it; some browsers forbid what others can. */
const handed = (data) => navigator.share(data).then(() => true, ({ name }) => name === "AbortError");

/** The link is in the clipboard, and the picture can be saved. */
async function byHand(game, { text, url }) {
  copy(`${text} ${url}`);
  await dialog("Share this game", (close) => [
    h.img({ class: "shared", src: address(game), alt: "The final table, as the link shows it", width: 1200, height: 630 }),
    h.label("Link", h.input({ readonly: true, value: url, onfocus: ({ target }) => target.select() })),
    h.div({ class: "buttons" }, press("Copy link", () => copy(`${text} ${url}`), { class: "primary" }),
      h.a({ class: "button", href: address(game), download: "digit-duel.png" }, "Save picture"), press("Close", () => close())),
  ]);
}
