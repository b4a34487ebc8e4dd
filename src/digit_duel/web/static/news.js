/** What has happened in a game: every event once, in order. */

import { tab } from "./prefs.js";

export class News {
  #key;
  #heard;
  items = [];

  constructor(game) {
    this.#key = `heard ${game}`;
    this.#heard = tab(this.#key) ?? -1;
  }

  /** Add a view's news; the sentences that have not been said in this tab yet. */
  take(view) {
    const known = this.items.at(-1)?.version ?? 0;
    this.items = [...this.items, ...view.news.filter(({ version }) => version > known)];
    const first = this.#heard < 0;
    const fresh = this.items.filter(({ version }) => version > this.#heard);
    this.#heard = Math.max(this.#heard, view.version);
    tab(this.#key, this.#heard);
    return (first ? sinceOwn(fresh, view) : fresh).map(({ text }) => text).filter(Boolean);
  }
}

/** One who comes to a game hears what happened since their own last choice. */
function sinceOwn(items, view) {
  const own = items.findLastIndex(({ seat, kind }) => kind === "move" && view.seats.includes(seat));
  return items.slice(own + 1).filter(({ kind }) => kind === "move").slice(view.seats.length ? 0 : -1);
}
