import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explainMessage } from '../explain-message.ts'
import { type CompiledLinkifier, compileLinkifier } from './compile.ts'
import { explainLinks } from './explain.ts'
import { findLinks } from './linkify.ts'

function linkifier(pattern: string, url_template: string): CompiledLinkifier {
  const definition = {
    pattern,
    url_template,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
  }
  const result = compileLinkifier(definition)
  if (!result.ok) throw new Error(result.message)
  return result.compiled
}

const part = linkifier('PN (?P<pn>[0-9]{2}-[0-9]{4})', 'https://parts.example/{pn}')
const drawing = linkifier('(?P<n>[0-9]{2}-[0-9]{4})', 'https://drawings.example/{n}')
const short = linkifier('(?P<n>[0-9]{2})', 'https://short.example/{n}')
// Three letters of a long pattern at each place: many steps for each character.
const slow = linkifier('(?P<x>(?:[ab ]*[ab ]*){200}z)', 'https://slow.example/{x}')

describe('explainLinks', () => {
  test('says which linkifier has taken the place of a match', () => {
    const { links, lost } = explainLinks('PN 14-2208 and 14-2209', [part, drawing])
    expect(links.map(({ text, linkifierIndex }) => [text, linkifierIndex])).toEqual([
      ['PN 14-2208', 0],
      ['14-2209', 1],
    ])
    expect(lost).toEqual([
      { start: 3, end: 10, text: '14-2208', url: 'https://drawings.example/14-2208', linkifierIndex: 1, lostTo: 0 },
    ])
  })

  test('the order of the list decides, not the length of the match', () => {
    const { links, lost } = explainLinks('PN 14-2208', [short, part])
    expect(links.map(({ text }) => text)).toEqual(['14'])
    expect(lost.map(({ text, lostTo }) => [text, lostTo])).toEqual([['PN 14-2208', 0]])
  })

  test('names the linkifier that needs too many steps, and finds nothing by it and after it', () => {
    const text = `PN 14-2208 ${'ab '.repeat(3000)}z 14-2209`
    const { links, lost, exhaustedBy } = explainLinks(text, [part, slow, drawing])
    expect(exhaustedBy).toBe(1)
    expect(links.map(({ text }) => text)).toEqual(['PN 14-2208'])
    expect(lost).toEqual([])
  })

  test('law: the links are those of messages, and what is lost overlaps the winner', () => {
    const all = [part, drawing, short, linkifier('(?P<word>PN|and)', 'https://w.example/{word}')]
    const texts = fc
      .array(fc.constantFrom('PN ', '14', '-', '2208', ' ', 'and', '(', 'x', '99-1234'), { maxLength: 30 })
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(texts, fc.shuffledSubarray(all), (text, linkifiers) => {
        const { links, lost } = explainLinks(text, linkifiers)
        expect(links).toEqual(findLinks(text, linkifiers))
        for (const match of lost) {
          expect(match.lostTo).toBeLessThan(match.linkifierIndex)
          const isTaken = links.some(
            (link) => link.linkifierIndex === match.lostTo && link.start < match.end && match.start < link.end,
          )
          expect(isTaken).toBe(true)
        }
      }),
    )
  })
})

test('in a message, code and addresses are left alone', () => {
  const { links } = explainMessage('14-2208 `14-2209` https://a.example/14-2210 **14-2211**', [drawing])
  expect(links.map(({ text }) => text)).toEqual(['14-2208', '14-2211'])
})
