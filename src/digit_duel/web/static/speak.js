/** All that the page says: sentences in the one live region, each once and in order, and small sounds. */

import { h, paint } from "./paint.js";
import { pref, tab } from "./settings.js";

const KEPT = 6; // sentences stay a while for readers who come late; that one goes says nothing
const TUNES = { tap: [660], move: [440, 554], news: [523, 392], win: [523, 659, 784, 1047], over: [392, 330, 262] };
const region = document.getElementById("status");
let said = [];
let count = 0;
let saving = "";
let audio = null;

const show = () => paint(region, said.map(([key, text]) => h.p({ key }, text)), saving && h.p({ key: "saving", class: "saving" }, saving));

export function speak(text) {
  if (text) said = [...said, [++count, text]].slice(-KEPT);
  show();
}

/** Say how a choice fares on its way to the server. */
export function speakSaving(text) {
  saving = text;
  show();
}

/** Forget what was said, before somebody else looks at the screen. */
export function hush() {
  said = [];
  speakSaving("");
}

/** Copy a text and say so; where a page without TLS may not, say the text. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    speak("Copied.");
  } catch {
    speak(`Please copy this by hand: ${text}`);
  }
}

export function blip(tune) {
  if (!pref("sound") || !window.AudioContext) return;
  audio ??= new AudioContext();
  TUNES[tune].forEach((pitch, at) => {
    const begin = audio.currentTime + at * 0.09;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.12);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.13);
  });
}

/** What has happened in a game: items has every event once; take gives the sentences this tab has not said yet. */
export function chronicle(game) {
  const key = `heard ${game}`;
  let heard = tab(key) ?? -1;
  const items = [];
  return {
    items,
    take({ news, version, seats }) {
      const known = items.at(-1)?.version ?? 0;
      items.push(...news.filter((item) => item.version > known));
      let fresh = items.filter((item) => item.version > heard);
      if (heard < 0) { // one who comes to a game hears what happened since their own last choice
        const moves = fresh.filter(({ kind }) => kind === "move");
        fresh = moves.slice(moves.findLastIndex(({ seat }) => seats.includes(seat)) + 1).slice(seats.length ? 0 : -1);
      }
      heard = Math.max(heard, version);
      tab(key, heard);
      return fresh.map(({ text }) => text).filter(Boolean);
    },
  };
}

export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const short = (hash) => `${hash.slice(0, 4)}…${hash.slice(-4)}`;
