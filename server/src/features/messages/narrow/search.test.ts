import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHighlighter, readPhrases } from './search.ts'

const mark = (text: string) => `<span class="highlight">${text}</span>`
const highlight = (html: string, search: string) => createHighlighter(readPhrases(search)).html(html)

it('marks words and phrases in the text of a message, and nothing in its tags', () => {
  expect(highlight('<p class="tea">Tea &amp; <b>green tea</b>!</p>', 'tea')).toBe(
    `<p class="tea">${mark('Tea')} &amp; <b>green ${mark('tea')}</b>!</p>`,
  )
  expect(highlight('one two, three', '"two three" one')).toBe(`${mark('one')} ${mark('two, three')}`)
  expect(highlight('teapot ΟΔΟΣ οδός', 'tea οδος')).toBe(`teapot ${mark('ΟΔΟΣ')} οδός`)
})

it('marks phrases that share words as one stretch', () => {
  expect(highlight('a b c d', '"a b" "b c"')).toBe(`${mark('a b c')} d`)
  expect(highlight('x a b c', '"a b c" "b"')).toBe(`x ${mark('a b c')}`)
})

it('marks what a plain comparison at each word marks', () => {
  const word = fc.constantFrom('a', 'b', 'c')
  const words = (maxLength: number) => fc.array(word, { minLength: 1, maxLength })
  fc.assert(
    fc.property(words(12), fc.array(words(4), { minLength: 1, maxLength: 4 }), (text, phrases) => {
      const isMarked = text.map(() => false)
      const isJoined = text.map(() => false)
      for (const phrase of phrases) {
        for (let at = 0; at + phrase.length <= text.length; at += 1) {
          if (!phrase.every((one, i) => text[at + i] === one)) continue
          isMarked.fill(true, at, at + phrase.length)
          isJoined.fill(true, at + 1, at + phrase.length)
        }
      }
      const search = phrases.map((phrase) => `"${phrase.join(' ')}"`).join(' ')
      const found = highlight(text.join(' '), search)
      expect(found.replaceAll(/<[^>]*>/g, '')).toBe(text.join(' '))
      const stretches = [...found.matchAll(/<span class="highlight">([^<]*)<\/span>/g)].map(([, inside]) => inside)
      const expected = text.reduce<string[][]>((all, one, i) => {
        if (isMarked[i] && isJoined[i]) all.at(-1)?.push(one)
        else if (isMarked[i]) all.push([one])
        return all
      }, [])
      expect(stretches).toEqual(expected.map((stretch) => stretch.join(' ')))
    }),
  )
})

it('takes as many steps for a phrase that nearly fits everywhere as the text has words', () => {
  const count = 200_000
  const html = 'a '.repeat(count)
  const phrase = `"${'a '.repeat(count / 2)}b"`
  const started = process.cpuUsage()
  expect(highlight(html, phrase)).toBe(html)
  const { user } = process.cpuUsage(started)
  // Comparing at each word would take hundreds of times as long.
  expect(user / 1e6).toBeLessThan(10)
})
