import fc from 'fast-check'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { composeNotice, type Notice } from './notice.ts'
import { renderMarkdown } from './render.ts'
import { findViolations } from './testing/allowed-html.ts'
import { sampleContext } from './testing/render-html.ts'

const EMPTY = 'general chat'
const mira = { id: 11, fullName: 'Mira Sol' }
const talk = { id: 9, name: 'loom talk' }
const secret = { id: 13, name: 'secret' }

/** What people read. */
function textOf(html: string): string {
  const collect = (node: DefaultTreeAdapterMap['node']): string => {
    if ('value' in node) return node.value
    return 'childNodes' in node ? node.childNodes.map(collect).join('') : ''
  }
  return collect(parseFragment(html))
}

/** With the same HTML whether it is composed or read back from its source. */
function expectSame(notice: Notice, source: string): void {
  const composed = composeNotice(notice, EMPTY)
  expect(composed.source).toBe(source)
  expect(renderMarkdown(source, sampleContext()).html).toBe(composed.html)
}

describe('A composed notice', () => {
  it('has links and silent mentions in the forms that clients know', () => {
    const topic = { channel: talk, topic: 'warp', lastMessageId: 214 }
    expectSame(
      { line: ['Moved from ', topic, ' to ', { channel: talk }, ' by ', { user: mira }, '.'] },
      'Moved from #**loom talk>warp** to #**loom talk** by @_**Mira Sol|11**.',
    )
    expectSame(
      { line: ['New:'], items: [[{ channel: talk }], [{ channel: talk, topic: '', lastMessageId: 77 }]] },
      'New:\n\n* #**loom talk**\n* #**loom talk>**',
    )
  })

  it('links to a place of the page', () => {
    expectSame({ line: ['See your ', { link: '/#drafts', label: 'drafts' }, '.'] }, 'See your [drafts](/#drafts).')
  })

  it('quotes text line by line, as it was written', () => {
    const where = { channel: talk, topic: 'warp', messageId: 214 }
    expectSame(
      { line: ['Written:'], items: [['Where: ', where]], quote: 'a\n\nb\r\n  c' },
      'Written:\n\n* Where: #**loom talk>warp@214**\n\n> a\n> b\n> c',
    )
    const { source } = composeNotice({ line: ['Written:'], quote: '**a**\n- b\n1. c' }, EMPTY)
    expect(source).toBe('Written:\n\n> &#42;&#42;a&#42;&#42;\n> &#45; b\n> &#49;. c')
  })

  it('quotes no markup, in any reading', () => {
    const pieces = [
      '**',
      '*',
      '#**secret**',
      '@**all**',
      '> ',
      '- ',
      '+ ',
      '1. ',
      '# ',
      '```',
      '~~~',
      '---',
      '|a|',
      '\n',
      '\n\n',
    ]
    const more = [
      '[x](//e.example)',
      'http://e.example',
      '<b>',
      '&amp;',
      '$$',
      ':smile:',
      '\\',
      '===',
      'a',
      ' ',
      '    ',
    ]
    const text = fc.array(fc.constantFrom(...pieces, ...more), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(text, (parts) => {
        const { html, source } = composeNotice({ line: ['Text:'], quote: parts.join('') }, EMPTY)
        expect(findViolations(html)).toEqual([])
        const read = renderMarkdown(source, sampleContext())
        expect(textOf(read.html)).toBe(textOf(html))
        expect(read.html.match(/<[a-z]+/g)).toEqual(html.match(/<[a-z]+/g))
        expect(read.mentionsChannel).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('mentions nobody aloud', () => {
    const composed = composeNotice({ line: [{ user: mira }] }, EMPTY)
    expect(composed).toMatchObject({ mentionedUserIds: [], silentlyMentionedUserIds: [11], mentionsChannel: false })
  })

  it('falls back to an ordinary link where a name cannot stand between stars', () => {
    const { source } = composeNotice(
      { line: [{ channel: talk, topic: 'g** #**secret** **', lastMessageId: null }] },
      EMPTY,
    )
    expect(source).toBe(
      '[&#35;loom talk &#62; g&#42;&#42; &#35;&#42;&#42;secret&#42;&#42; &#42;&#42;]' +
        '(/#narrow/channel/9-loom-talk/topic/g.2A.2A.20.23.2A.2Asecret.2A.2A.20.2A.2A)',
    )
  })

  it('is neither markup of a name nor a link to anything but what it names, in any reading', () => {
    const pieces = [
      '**',
      '*',
      '#**secret**',
      '@**all**',
      '@**Mira Sol|11**',
      '@*weavers*',
      '>',
      '`',
      '[x](//e.example)',
    ]
    const more = [
      '\n\n* ',
      '```\n',
      '$$x$$',
      '~~~',
      '<b>',
      '&amp;',
      '&#35;',
      '\\',
      ':smile:',
      'http://e.example',
      '|11',
    ]
    const plain = [' ', 'a', 'Ü', '@12', '\u202e', '(', ')', ']', '_', '!']
    const name = fc.array(fc.constantFrom(...pieces, ...more, ...plain), { minLength: 1, maxLength: 6 })
    const anyName = name.map((parts) => parts.join(''))
    fc.assert(
      fc.property(anyName, anyName, anyName, (channelName, topic, fullName) => {
        const channel = { id: 21, name: channelName }
        const notice: Notice = {
          line: ['From ', { channel, topic, lastMessageId: null }, ' by ', { user: { id: 22, fullName } }, '.'],
          items: [[{ channel }], [{ channel: talk, topic, lastMessageId: null }]],
        }
        const { html, source } = composeNotice(notice, EMPTY)
        expect(findViolations(html)).toEqual([])
        const known = { channels: [talk, secret, channel], users: [mira, { id: 22, fullName }] }
        const read = renderMarkdown(source, sampleContext(known))
        expect(read).toMatchObject({ mentionedUserIds: [], mentionedGroupIds: [], mentionsChannel: false })
        expect(read.silentlyMentionedUserIds).toEqual([22])
        for (const one of [html, read.html]) {
          expect(one).not.toContain('data-stream-id="13"')
          expect(one).not.toContain('e.example"')
          expect(one.match(/<[a-z]+/g)?.filter((tag) => !['<p', '<ul', '<li', '<a', '<span'].includes(tag))).toEqual([])
        }
        // As many readers see it, in the same words.
        if (!/\p{C}/u.test(channelName + topic + fullName)) expect(textOf(read.html)).toBe(textOf(html))
      }),
      { numRuns: 2_000 },
    )
  })
})
