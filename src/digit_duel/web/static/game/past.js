/** Earlier positions of a running game, fetched when somebody looks back. */

import { get } from "../server.js";

export class Past {
  #path;
  // Positions by version.
  #been = {};
  // The news that changed the position, and the index on display; the last is the present.
  moments = [];
  at = 0;

  constructor(path) {
    this.#path = path;
  }

  get last() {
    return this.moments.length - 1;
  }

  /** Whether an earlier position is on display. */
  get then() {
    return this.at < this.last;
  }

  /** The earlier position on display; null for the present. */
  get position() {
    return this.then ? this.#been[this.moments[this.at].version] : null;
  }

  /** Whether something happened after the position on display. */
  later({ version }) {
    return this.then && version > this.moments[this.at].version;
  }

  /** Follow the news; a new position brings the display back to the present. */
  follow(news) {
    const known = this.last;
    // The game begins when the second player joins.
    this.moments = news.filter(({ kind }) => /sit|move|takeback/.test(kind)).slice(1);
    if (this.last !== known) this.at = this.last;
  }

  /** Go to a position; returns an error, or "". */
  async visit(to) {
    this.at = to;
    const { version } = this.moments[to];
    if (to >= this.last || this.#been[version]) return "";
    const { positions = [], message = "" } = await get(`${this.#path}/past?after=${Math.max(0, version - 99)}`); // 100 positions: nearly always all
    for (const each of positions) this.#been[each.version] = each;
    if (this.#been[version]) return "";
    this.at = this.last;
    return message;
  }

  words(hide) {
    const { kind, text } = this.moments[this.at];
    return `Earlier position ${this.at + 1} of ${this.last + 1}. ${kind === "sit" ? "The start." : (!hide && text) || ""}`;
  }
}
