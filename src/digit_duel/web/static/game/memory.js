/** What this tab remembers of a game: the news it has announced, and the round results already read. */

import { tab } from "../app.js";

export class Memory {
  #heard;
  #read;
  #marks;

  constructor(id) {
    this.#marks = [`heard ${id}`, `read ${id}`];
    [this.#heard, this.#read] = [tab(this.#marks[0]), tab(this.#marks[1]) ?? 0];
  }

  /** The finished round, until the player continues, here or by a choice on another device. */
  round({ news, phase, seats }) {
    const ended = news.findLast(({ scene }) => scene);
    if (phase !== "playing" || !ended || ended.version <= this.#read) return null;
    const later = news.filter(({ kind, version }) => kind === "move" && version > ended.version);
    return later.some(({ seat }) => !seats.length || seats.includes(seat)) ? null : ended;
  }

  /** Note that the player has read the result of a round. */
  goOn({ version }) {
    tab(this.#marks[1], (this.#read = version));
  }

  /** The sentences that this tab has not announced yet; marks them as announced. */
  unheard(view) {
    const { news, version, seats } = view;
    let fresh = news.filter((item) => item.version > this.#heard);
    if (this.#heard === null) { // on arrival, announce what happened since the last choice of the player
      fresh = news.filter(({ kind }) => kind === "move");
      fresh = fresh.slice(seats.length ? fresh.findLastIndex(({ seat }) => seats.includes(seat)) + 1 : -1);
    }
    tab(this.#marks[0], (this.#heard = version));
    return this.untilRound(view, fresh).filter(({ text }) => text);
  }

  /** The news up to the end of the round on display. */
  untilRound(view, items = view.news) {
    const round = this.round(view);
    return round ? items.filter(({ version }) => version <= round.version) : items;
  }
}
