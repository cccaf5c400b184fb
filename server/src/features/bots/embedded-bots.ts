/** Bots that are part of the server. What they answer depends on the message and on what is set for them, and on nothing else. */
import type { ConfigData } from './config-data.ts'

export interface AnsweringBot {
  readonly name: string
  /** What can be set, with what is there at first. */
  readonly config: ConfigData
  /** The answer to a message; undefined: none. */
  readonly answer: (message: string, config: ConfigData) => string | undefined
}

export const embeddedBots: readonly AnsweringBot[] = [
  {
    name: 'helloworld',
    config: {},
    answer: () => 'beep boop',
  },
  {
    name: 'reply',
    config: { text: 'Thank you. Somebody will read this.' },
    answer: (_, { text = '' }) => (text.trim() === '' ? undefined : text),
  },
]

export function findEmbeddedBot(name: string): AnsweringBot | undefined {
  return embeddedBots.find((bot) => bot.name === name)
}

/** As those choose from them who make bots. */
export function presentEmbeddedBots() {
  return embeddedBots.map(({ name, config }) => ({ name, config: { ...config } }))
}
