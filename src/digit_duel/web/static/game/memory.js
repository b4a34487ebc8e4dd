/** What this tab remembers of a game: the news it has said, and the rounds that somebody has read. */

import { tab } from "../app.js";

export class Memory {
  #heard;
  #read;
  #marks;

  constructor(id) {
    this.#marks = [`heard ${id}`, `read ${id}`];
    [this.#heard, this.#read] = [tab(this.#marks[0]), tab(this.#marks[1]) ?? 0];
  }

  /** The round that has ended, until somebody goes on: here, or by a choice made elsewhere. */
  round({ news, phase, seats }) {
    const ended = news.findLast(({ scene }) => scene);
    if (phase !== "playing" || !ended || ended.version <= this.#read) return null;
    const later = news.filter(({ kind, version }) => kind === "move" && version > ended.version);
    return later.some(({ seat }) => !seats.length || seats.includes(seat)) ? null : ended;
  }

  /** Somebody has read the result of a round. */
  goOn({ version }) {
    tab(this.#marks[1], (this.#read = version));
  }

  /** The sentences that this tab has not said yet; from now on it has. */
  unheard(view) {
    const { news, version, seats } = view;
    let fresh = news.filter((item) => item.version > this.#heard);
    if (this.#heard === null) { // who comes to a game hears what happened since their own last choice
      fresh = news.filter(({ kind }) => kind === "move");
      fresh = fresh.slice(seats.length ? fresh.findLastIndex(({ seat }) => seats.includes(seat)) + 1 : -1);
    }
    tab(this.#marks[0], (this.#heard = version));
    return this.untilRound(view, fresh).filter(({ text }) => text);
  }

  /** What happened up to the end of the round that is shown. */
  untilRound(view, items = view.news) {
    const round = this.round(view);
    return round ? items.filter(({ version }) => version <= round.version) : items;
  }
}
