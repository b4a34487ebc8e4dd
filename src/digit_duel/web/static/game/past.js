/** Earlier positions of a running game, asked for when somebody looks back. */

import { get } from "../server.js";

export class Past {
  #path;
  // Positions by version.
  #been = {};
  // The moments of the game, and the one looked at: the last is now.
  moments = [];
  at = 0;

  constructor(path) {
    this.#path = path;
  }

  get last() {
    return this.moments.length - 1;
  }

  /** Whether an earlier position is looked at. */
  get then() {
    return this.at < this.last;
  }

  /** The position that is looked at, unless it is the present one. */
  get position() {
    return this.then ? this.#been[this.moments[this.at].version] : null;
  }

  /** Follow the news: a new position is looked at, whatever was. */
  follow(news) {
    const known = this.last;
    // The game begins when the second player joins.
    this.moments = news.filter(({ kind }) => /sit|move|takeback/.test(kind)).slice(1);
    if (this.last !== known) this.at = this.last;
  }

  /** Go to a position; an answer is the reason why not. */
  async visit(to) {
    this.at = to;
    const { version } = this.moments[to];
    if (to >= this.last || this.#been[version]) return "";
    const { positions = [], message = "" } = await get(`${this.#path}/past?after=${Math.max(0, version - 99)}`); // nearly always all
    for (const each of positions) this.#been[each.version] = each;
    if (this.#been[version]) return "";
    this.at = this.last;
    return message;
  }

  words(hide) {
    const { kind, text } = this.moments[this.at];
    return `The past, ${this.at + 1} of ${this.last + 1}. ${kind === "sit" ? "The start." : (!hide && text) || ""}`;
  }
}
