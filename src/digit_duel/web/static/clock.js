/** Time between two views: what is left on the clocks, and when a game can be claimed. */

/** The seconds until the game can be claimed; null if it cannot. */
export function claimIn({ claim, clock, seat }, arrived) {
  if (clock && seat !== null && clock.running === 1 - seat && secondsLeft(clock, 1 - seat, arrived) === 0) return 0;
  return claim && Math.max(0, claim.seconds - (Date.now() - arrived) / 1000);
}

/** The text beside a name: presence and clock. */
export function tag({ players, clock, seat }, at, arrived, shared) {
  const { kind, here } = players[at];
  const who = shared || at === seat || kind === "computer" ? "" : here ? "● here" : "○ away";
  if (!clock) return who;
  const left = secondsLeft(clock, at, arrived);
  return `${who && `${who} · `}${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}

/** The seconds left on a seat's clock, counting the time since the view arrived. */
function secondsLeft({ left, running }, at, arrived) {
  return Math.max(0, left[at] - (running === at ? Date.now() - arrived : 0)) / 1000;
}
