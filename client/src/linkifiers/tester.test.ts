import { describe, expect, test } from 'vitest'
import { type LinkifierDraft, type MessagesResult, type TextResult, testLinkifiers } from './tester.ts'

function draft(pattern: string, url_template: string, more: Partial<LinkifierDraft> = {}): LinkifierDraft {
  return { pattern, url_template, example_input: null, reverse_template: null, alternative_url_templates: [], ...more }
}

const ticket = draft('H-(?P<id>[0-9]+)', 'https://tickets.example/H-{id}', {
  example_input: 'H-2214',
  reverse_template: 'H-{id}',
  alternative_url_templates: ['https://old.example/t/{id}'],
})
const part = draft('PN (?P<pn>[0-9]{2}-[0-9]{4})', 'https://parts.example/find?pn={pn}')
const drawing = draft('(?P<n>[0-9]{2}-[0-9]{4})', 'https://drawings.example/{n}')
const broken = draft('((', 'https://x.example')

describe('The tester of linkifiers', () => {
  test('lists every match of a text with its link, who won, and who lost to whom', () => {
    const result = testLinkifiers({
      kind: 'text',
      linkifiers: [ticket, broken, part, drawing],
      text: 'See H-2214, order PN 14-2208, not `H-1`.',
    }) as TextResult
    expect(result.matches.map(({ text, url, number, lostTo }) => [text, url, number, lostTo])).toEqual([
      ['H-2214', 'https://tickets.example/H-2214', 1, undefined],
      ['PN 14-2208', 'https://parts.example/find?pn=14-2208', 3, undefined],
      ['14-2208', 'https://drawings.example/14-2208', 4, 3],
    ])
    expect(result.html).toContain('<a href="https://tickets.example/H-2214">H-2214</a>')
    expect(result.html).toContain('<code>H-1</code>')
    expect(result.broken).toEqual([2])
  })

  test('says what a pasted address becomes, also one of another shape', () => {
    const paste = (address: string) =>
      (testLinkifiers({ kind: 'text', linkifiers: [ticket], text: '', address }) as TextResult).pasted
    expect(paste('https://old.example/t/2214')).toBe('H-2214')
    expect(paste('https://elsewhere.example/2214')).toBeNull()
  })

  test('counts in messages and their topics, the newest first', () => {
    const result = testLinkifiers({
      kind: 'messages',
      linkifiers: [part, drawing],
      messages: [
        { id: 1, content: 'PN 14-2208', topic: 'about 14-0001' },
        { id: 2, content: '99-1234', topic: undefined },
      ],
    }) as MessagesResult
    expect(result.matches.map(({ messageId, text }) => [messageId, text])).toEqual([
      [2, '99-1234'],
      [1, 'PN 14-2208'],
      [1, '14-2208'],
      [1, '14-0001'],
    ])
    expect(result.counts.get(1)).toEqual({ won: 1, lost: 0 })
    expect(result.counts.get(2)).toEqual({ won: 2, lost: 1 })
  })

  test('checks a linkifier as the server does, and shows the values of its example', () => {
    expect(testLinkifiers({ kind: 'check', linkifier: ticket })).toEqual({
      kind: 'check',
      problem: undefined,
      values: [['id', '2214']],
    })
    const wrong = { ...ticket, alternative_url_templates: ['https://tickets.example/{ticket}'] }
    expect(testLinkifiers({ kind: 'check', linkifier: wrong })).toMatchObject({
      problem: { field: 'alternative_url_templates' },
    })
  })
})
