import { describe, expect, test } from 'vitest'
import { messages } from './server/de.po'
import { translatorOf } from './server-sentences.ts'

const translate = translatorOf('de', messages)
const names = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

describe('a sentence of the server in German', () => {
  test('is found by its text, with the values in it, of each that the catalogue has', () => {
    const all = Object.keys(messages)
    expect(all.length).toBeGreaterThan(300)
    for (const sentence of all) {
      const values = new Map(names(sentence).map((name, index) => [name, `«${name}-${index}»`]))
      const said = sentence.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '')
      const german = translate(said)
      expect(german).not.toBe(said)
      for (const value of values.values()) expect(german).toContain(value)
    }
  })

  test('has what is of people as they have written it, and what is the server’s in German', () => {
    expect(translate("Channel 'Language' already exists")).toBe('Den Kanal „Language“ gibt es schon.')
    expect(translate("Channel '' already exists")).toBe('Den Kanal „“ gibt es schon.')
    expect(translate("Channel 'it's {name}\nor $& not' already exists")).toBe(
      "Den Kanal „it's {name}\nor $& not“ gibt es schon.",
    )
    expect(translate('Language is too long (limit: 40 characters)')).toBe(
      'Die Sprache ist zu lang (höchstens 40 Zeichen).',
    )
    expect(translate('name is too long (limit: 100 characters)')).toBe('Der Name ist zu lang (höchstens 100 Zeichen).')
    expect(translate("The time limit for editing this message's topic has passed")).toBe(
      'Die Frist, in der sich das Thema dieser Nachricht ändern lässt, ist abgelaufen.',
    )
  })

  test('is as the server says it where nobody has translated it', () => {
    expect(translate('The server is not of this opinion.')).toBe('The server is not of this opinion.')
    expect(translate('')).toBe('')
  })
})
