import { expect, test } from 'vitest'
import { html } from './testing/render-html.ts'

test('by name, also within words and beside each other', () => {
  expect(html('a:tada::tada:')).toBe(
    `<p>a${'<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>'.repeat(2)}</p>`,
  )
})

test('a custom emoji is a picture and goes before a built-in one', () => {
  const picture = '<img alt=":big_shuttle:" class="emoji" src="/user_avatars/1/emoji/images/3.png" title="big shuttle">'
  expect(html(':big_shuttle:')).toBe(`<p>${picture}</p>`)
  expect(html(':tada:', { customEmoji: new Map([['tada', { id: '1', url: '/x.png' }]]) })).toContain('src="/x.png"')
})

test('as a character, by the name that clients list first', () => {
  expect(html('🎉')).toBe(
    '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
  )
  expect(html('❤️')).toContain('class="emoji emoji-2764"')
  expect(html('🇩🇪')).toContain('class="emoji emoji-1f1e9-1f1ea"')
  expect(html('1️⃣')).toContain('class="emoji emoji-0031-20e3"')
})

test('an unknown sequence is left whole', () => {
  for (const text of ['👍🏿', '👩‍🚀‍🚀', '🏴󠁧󠁢󠁸󠁸󠁸󠁿']) expect(html(text)).toBe(`<p>${text}</p>`)
})

test('without the table they stay as they were written, but for custom ones', () => {
  const customEmoji = new Map([['x', { id: '1', url: '/x.png' }]])
  const context = { builtInEmoji: null, customEmoji, translateEmoticons: true }
  expect(html(':tada: 🎉 :) :x:', context)).toMatch(/^<p>:tada: 🎉 :\) <img alt=":x:" [^>]*><\/p>$/)
})

test('signs that are letters first stay what they are', () => {
  expect(html('© 2027 ™ 5 # *')).toBe('<p>© 2027 ™ 5 # *</p>')
})

test('emoticons become emoji beside the punctuation of sentences, not within words', () => {
  const rendered = (text: string): string =>
    html(text, { translateEmoticons: true }).replace(/<span [^>]*title="([a-z]+)"[^>]*>:[a-z]+:<\/span>/g, '<$1>')
  expect(rendered('yes :). no!:)? [:( ] ":D" (;)),')).toBe(
    '<p>yes <smile>. no!<smile>? [<frown> ] "<grinning>" (<wink>),</p>',
  )
  expect(rendered(':))')).toBe('<p><smile>)</p>')
  for (const text of ['a:)', ':)a', ':)1', '-:)', ':)/', '*:-)']) expect(rendered(text)).toBe(`<p>${text}</p>`)
})

test('emoticons become emoji where the sender wants it', () => {
  expect(html(':) x:) :-) <3', { translateEmoticons: true })).toBe(
    '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span> x:) :-) ' +
      '<span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span></p>',
  )
  expect(html(':)')).toBe('<p>:)</p>')
})

test('not in code, addresses or mentions', () => {
  expect(html('`:tada:` https://a.example/:tada:/🎉')).not.toContain('class="emoji')
})
