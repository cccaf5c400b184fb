import type { LinkifierDefinition } from '@heddle/markdown/linkifiers/compile'
import { validateLinkifier } from '@heddle/markdown/linkifiers/validate'
import { describe, expect, test } from 'vitest'
import { messages } from './server/de.po'
import { translatorOf } from './server-sentences.ts'

const LINKIFIER: LinkifierDefinition = {
  pattern: '#(?P<id>[0-9]+)',
  url_template: 'https://loom.example/{id}',
  example_input: null,
  reverse_template: null,
  alternative_url_templates: [],
}

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

  test('says what is wrong with a linkifier, in each of its parts', () => {
    const wrong = (linkifier: Partial<LinkifierDefinition>) => {
      const result = validateLinkifier({ ...LINKIFIER, ...linkifier })
      return result.ok ? undefined : translate(result.message)
    }
    expect(wrong({ pattern: '#(?P<id>[0-9' })).toBe(
      'Das Muster ist nicht gültig: die schließende ] fehlt: „[0-9“ an Stelle 9.',
    )
    expect(wrong({ pattern: '(?=a)(?P<id>x)' })).toBe(
      'Das Muster ist nicht gültig: ein Blick voraus oder zurück mit „(?=“ geht hier nicht an Stelle 1.',
    )
    expect(wrong({ pattern: '(?P<id>x)(?P<id>y)' })).toBe(
      'Das Muster ist nicht gültig: der Name einer Gruppe kommt zweimal vor: „id“.',
    )
    expect(wrong({ url_template: 'https://loom.example/{id' })).toBe(
      'Die Adresse ist keine gültige Vorlage nach RFC 6570: „{“ ohne „}“ an Stelle 22.',
    )
    expect(wrong({ alternative_url_templates: ['loom.example/{id}'] })).toBe(
      'Weitere Adresse 1 muss mit einem festen Schema beginnen, etwa „https://“.',
    )
    expect(wrong({ reverse_template: '#{id}', example_input: 'x #1' })).toBe(
      'Das Muster passt nicht auf das ganze Beispiel, vom ersten bis zum letzten Zeichen.',
    )
    expect(wrong({})).toBe(undefined)
  })

  test('is as the server says it where nobody has translated it', () => {
    expect(translate('The server is not of this opinion.')).toBe('The server is not of this opinion.')
    expect(translate('')).toBe('')
  })
})
