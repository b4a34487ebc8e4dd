/** The steps of an ending: the last move, both numbers turn over, the better one is marked, the words appear, the score changes.
 *
 * stage is the present step, or "" when everything is shown: at once with prefers-reduced-motion or after a reload.
 */

export const [LAST, TURNING, MARKING, TELLING] = ["last", "turning", "marking", "telling"];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Climax {
  #redraw;
  #timer = 0;
  stage = "";
  // Whether the steps of this ending were shown, so that a reload does not cheer again.
  live = false;
  // The scene before, which has the old score; null if the score need not wait.
  was = null;

  constructor(redraw) {
    this.#redraw = redraw;
  }

  /** Start the steps if a verdict follows a table. */
  follow(before, after) {
    if (after.verdict && before?.verdict) return;
    clearTimeout(this.#timer);
    const shown = !after.verdict || !before || before.still || after.still || calm.matches;
    this.live = !shown;
    this.was = !shown && secret(before) ? before.scene : null;
    this.#go(shown ? [] : steps(before, after));
  }

  #go([[stage, wait] = ["", 0], ...more]) {
    this.stage = stage;
    if (!stage) return;
    this.#timer = setTimeout(() => {
      this.#go(more);
      this.#redraw(this.stage);
    }, wait);
  }
}

/** Whether a card lies face down, which the end turns over. */
const secret = ({ scene: { rows } }) => rows.some(({ cells }) => cells.some(({ hidden }) => hidden));

/** The steps with their durations in milliseconds. */
function steps(before, { scene }) {
  const count = scene.rows[0].cells.length;
  if (secret(before)) return [[TURNING, 900 + 220 * count], [MARKING, 700], [TELLING, 1000]];
  if (!before.pending && JSON.stringify(before.scene.rows) === JSON.stringify(scene.rows)) return [];
  const last = scene.pool.length ? [[LAST, count ? 650 : 1100]] : [];
  return count ? [...last, [MARKING, 700 + 160 * (scene.decided ?? count)], [TELLING, 700]] : [...last, [TELLING, 700]];
}
