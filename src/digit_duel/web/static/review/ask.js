/** Requests whose answers take time to compute. */

const [TRIES, PAUSE] = [12, 1500]; // attempts, and milliseconds between them
const BUSY = ["busy_retry", "offline"];

/** Ask the server again and again while it is busy; waiting(code) is called before each pause, and says whether to go on. */
export async function patiently(ask, waiting) {
  let found = await ask();
  for (let tries = 1; tries < TRIES && BUSY.includes(found.code) && waiting(found.code); tries += 1) {
    await new Promise((done) => setTimeout(done, PAUSE));
    found = await ask();
  }
  return found;
}

/** The position as the player to move sees it, but with both hands open: the game is over. look(seat) asks for what a seat sees. */
export async function lookAtBoth(look) {
  const seen = await Promise.all([look(0), look(1)]);
  const wrong = seen.find(({ scene }) => !scene);
  if (wrong) return wrong;
  const [{ scene }, { scene: other }] = seen;
  const found = seen[seen[0].to_move ?? 0];
  return { ...found, scene: { ...found.scene, counts: [], rows: [scene.rows[0], other.rows[1]], drawn: scene.drawn?.hidden ? other.drawn : scene.drawn } };
}
