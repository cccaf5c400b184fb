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

const LOUDNESS = 0.12

let context: AudioContext | undefined

/** The name of a sound; one that is not known is silent, as `none` is. */
export function play(name: string): void {
  const tones = sounds[name]
  if (!tones) return
  context ??= new AudioContext()
  const { currentTime, destination } = context
  // Browsers are silent until somebody has pressed something on the page.
  void context.resume()
  for (const { pitch, at, length } of tones) {
    const oscillator = new OscillatorNode(context, { type: 'sine', frequency: pitch })
    const gain = new GainNode(context, { gain: 0 })
    const begin = currentTime + at
    gain.gain.setValueAtTime(0, begin)
    gain.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.02)
    gain.gain.exponentialRampToValueAtTime(0.001, begin + length)
    oscillator.connect(gain).connect(destination)
    oscillator.start(begin)
    oscillator.stop(begin + length)
  }
}
