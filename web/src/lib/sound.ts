/** A short tone: frequency in Hz, start and length in seconds. */
export interface Tone {
  hz: number;
  at: number;
  length: number;
}

let context: AudioContext | undefined;

/**
 * Plays tones softly, one after another. Browsers keep sound back until the user has touched the page; then this
 * does nothing. `gain` is 0 to 1.
 */
export function play(tones: readonly Tone[], gain = 0.12): void {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const tone of tones) {
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    const start = context.currentTime + tone.at;
    oscillator.frequency.value = tone.hz;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(gain, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + tone.length);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + tone.length);
  }
}
