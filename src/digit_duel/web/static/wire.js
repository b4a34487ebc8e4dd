/** The line to one game: news as they happen, over whatever passes, and choices that are sent until they are answered. */

import { PROTOCOL, agreed, get, onlyPolls, post, randomHex } from "./api.js";
import { tab } from "./settings.js";

const [PING, SILENCE, POLL] = [4000, 9000, 2000]; // milliseconds: a dead line is noticed within ten seconds
const RETRY = ["offline", "busy_retry", "rate_limited"];

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** How long to wait before a try: from half a second up to five, and never all browsers at once. */
const backoff = (tries) => Math.min(5000, 1000 * 2 ** Math.min(tries, 3)) * (0.5 + Math.random() / 2);

/** Follow a game; query says in whose eyes. Views go to onview, the rest (live, saving, refused) to onstate. */
export function wire(game, query, onview, onstate) {
  const path = `/api/games/${game}`;
  const unsent = `unsent ${game}`;
  const address = (more = "") => `${path}${more}?${query}&after=${Math.max(0, version)}`;
  let ways = onlyPolls() ? [poll] : [socket, stream, poll]; // those that may still work, best first
  let version = -1;
  let tries = 0;
  let closed = false;
  let end = null;

  /** Ask for the present state: after sleep, or when something seems to be missing. */
  async function check() {
    const found = await get(address());
    if (found.code === "ok") take(found);
    else if (!RETRY.includes(found.code)) onstate({ refused: found.message });
  }

  function take(view) {
    if (closed || view.version < version) return; // never backwards
    if (view.since > Math.max(0, version)) return void check(); // something is missing between
    version = view.version;
    onview(view);
  }

  function connect() {
    if (closed) return;
    let [opened, over] = [false, false];
    const line = ways[0]({
      view: (view) => {
        if (over) return;
        opened = true;
        tries = 0;
        onstate({ live: true });
        take(agreed(view));
      },
      down: async () => {
        if (over) return;
        end();
        if (closed) return;
        onstate({ live: false });
        // A way that failed twice without ever working is blocked by something: take the next.
        if (!opened && tries > 0 && ways.length > 1) [ways, tries] = [ways.slice(1), 0];
        await wait(backoff(tries++));
        connect();
      },
    });
    end = () => {
      over = true;
      line();
    };
  }

  function socket(on) {
    const url = new URL(`${address("/socket")}&protocol=${PROTOCOL}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const line = new WebSocket(url);
    let heard = Date.now();
    const pulse = setInterval(() => {
      if (Date.now() - heard > SILENCE) on.down(); // half open: nobody says goodbye
      else if (line.readyState === WebSocket.OPEN) line.send('{"type":"ping"}');
    }, PING);
    line.onmessage = ({ data }) => {
      heard = Date.now();
      const { type, view } = JSON.parse(data);
      if (type === "view") on.view(view);
    };
    line.onclose = ({ code }) => {
      if (code === 4026) dispatchEvent(new Event("newversion"));
      on.down();
    };
    return () => {
      clearInterval(pulse);
      line.close();
    };
  }

  function stream(on) {
    const line = new EventSource(address("/events"));
    const look = setInterval(check, SILENCE); // a stream cannot be pinged
    line.onmessage = ({ data }) => on.view(JSON.parse(data));
    line.onerror = on.down;
    return () => {
      clearInterval(look);
      line.close();
    };
  }

  function poll(on) {
    const look = async () => {
      const found = await get(address());
      if (found.code === "ok") on.view(found);
      else if (RETRY.includes(found.code)) on.down();
      else onstate({ refused: found.message });
    };
    const clock = setInterval(look, POLL);
    look();
    return () => clearInterval(clock);
  }

  /** Send a command again and again until there is an answer; the server knows it by its id. */
  async function insist(command) {
    tab(unsent, command);
    for (let sent = 0; !closed; sent++) {
      if (sent) onstate({ saving: `Not saved – retrying (${sent})` });
      const slow = setTimeout(() => sent || onstate({ saving: "Sending…" }), 120);
      const reply = await post(`${path}/commands`, command);
      clearTimeout(slow);
      if (!RETRY.includes(reply.code)) {
        tab(unsent, null);
        onstate({ saving: reply.code.startsWith("ok") ? "Saved ✓" : "" });
        return reply;
      }
      await wait(backoff(sent));
    }
    return null; // it is sent when the game is next opened
  }

  connect();
  return {
    check,
    send: (body) => insist({ id: randomHex(), ...body }),
    resend: () => tab(unsent) && insist(tab(unsent)),
    close: () => {
      closed = true;
      end();
    },
  };
}
