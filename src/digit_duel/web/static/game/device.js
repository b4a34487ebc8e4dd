/** Two people on one device: which of them holds it, and the hand that only the holder may see. */

import { get } from "../server.js";

export class Device {
  #path;
  holder = null;
  hand = null;

  constructor(path) {
    this.#path = path;
  }

  /** Give the device to the player to move, who must confirm it if something is hidden; returns an error, or "". */
  async pass(view, paused) {
    const { acting, seat, secret, variant } = view;
    if (this.holder !== null && (paused || !acting.includes(this.holder))) this.lay();
    if (this.holder !== null) return this.look(view);
    if (!variant.hidden && !secret && acting.length) this.holder = seat;
    return "";
  }

  /** Lay the device down: nobody holds it, and no hidden hand stays. */
  lay() {
    [this.hand, this.holder] = [null, null];
  }

  /** Fetch the holder's hidden hand; returns an error, or "". */
  async look(view) {
    if (view.seat === this.holder || this.hand?.version === view.version) return "";
    const found = await get(`${this.#path}?seat=${this.holder}&after=${view.version}`);
    this.hand = found.scene ? { ...view, ...found } : null;
    if (this.hand) return "";
    this.holder = null;
    return found.message;
  }
}
