/** Tiny sounds, if they are wanted. */

import { pref } from "./prefs.js";

const TUNES = { tap: [660], move: [440, 554], news: [523, 392], win: [523, 659, 784, 1047], over: [392, 330, 262] };
let context = null;

/** Play one of the tunes. */
export function blip(tune) {
  if (!pref("sound") || !window.AudioContext) return;
  context ??= new AudioContext();
  TUNES[tune].forEach((pitch, at) => {
    const begin = context.currentTime + at * 0.09;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.12);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + 0.13);
  });
}
