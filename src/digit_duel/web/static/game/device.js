/** Two people on one device: who holds it, and the hand that only the holder may see. */

import { get } from "../server.js";

export class Device {
  #path;
  holder = null;
  hand = null;

  constructor(path) {
    this.#path = path;
  }

  /** Whoever is to choose holds the device, and takes it in hand where something is hidden; an answer is a problem. */
  async pass(view, paused) {
    const { acting, seat, secret, variant } = view;
    if (this.holder !== null && (paused || !acting.includes(this.holder))) this.lay();
    if (this.holder !== null) return this.look(view);
    if (!variant.hidden && !secret && acting.length) this.holder = seat;
    return "";
  }

  /** Nobody holds it: nothing hidden stays. */
  lay() {
    [this.hand, this.holder] = [null, null];
  }

  /** Ask for a hidden hand, once it may be seen; an answer is a problem. */
  async look(view) {
    if (view.seat === this.holder || this.hand?.version === view.version) return "";
    const found = await get(`${this.#path}?seat=${this.holder}&after=${view.version}`);
    this.hand = found.scene ? { ...view, ...found } : null;
    if (this.hand) return "";
    this.holder = null;
    return found.message;
  }
}
