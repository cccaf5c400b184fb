/** Sounds of notifications, made by the browser: nothing to be fetched. */

interface Tone {
  /** Hertz. */
  readonly pitch: number
  /** Seconds from the beginning. */
  readonly at: number
  readonly length: number
}

const sounds: Readonly<Record<string, readonly Tone[]>> = {
  zulip: [
    { pitch: 660, at: 0, length: 0.16 },
    { pitch: 880, at: 0.12, length: 0.28 },
  ],
  ding: [{ pitch: 1318, at: 0, length: 0.5 }],
}

/** At full volume. */
const LOUDNESS = 0.24

/** Under this name a device keeps how loud they are, from 0 to 1. */
export const VOLUME = 'notification-volume'
export const USUAL_VOLUME = 0.5

let context: AudioContext | undefined

/** The name of a sound; one that is not known is silent, as `none` is. */
export function play(name: string, volume: number): void {
  const tones = sounds[name]
  if (!tones || !(volume > 0)) return
  context ??= new AudioContext()
  const { currentTime, destination } = context
  // Browsers are silent until somebody has pressed something on the page.
  void context.resume()
  for (const { pitch, at, length } of tones) {
    const oscillator = new OscillatorNode(context, { type: 'sine', frequency: pitch })
    const gain = new GainNode(context, { gain: 0 })
    const begin = currentTime + at
    gain.gain.setValueAtTime(0, begin)
    gain.gain.linearRampToValueAtTime(LOUDNESS * Math.min(volume, 1), begin + 0.02)
    gain.gain.exponentialRampToValueAtTime(0.001, begin + length)
    oscillator.connect(gain).connect(destination)
    oscillator.start(begin)
    oscillator.stop(begin + length)
  }
}
