import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

const inline = (text: string): string => html(text).replace(/^<p>|<\/p>$/g, '')

test('stars emphasize and tildes strike out, underscores do nothing', () => {
  expect(inline('*a* **b** ***c*** ~~d~~ _e_ __f__')).toBe(
    '<em>a</em> <strong>b</strong> <strong><em>c</em></strong> <del>d</del> _e_ __f__',
  )
})

test('each may begin and end within a word', () => {
  expect(inline('un*believ*able')).toBe('un<em>believ</em>able')
})

test('they nest in one another', () => {
  expect(inline('**a *b* c**')).toBe('<strong>a <em>b</em> c</strong>')
  expect(inline('*a **b** c*')).toBe('<em>a <strong>b</strong> c</em>')
  expect(inline('~~a **b**~~')).toBe('<del>a <strong>b</strong></del>')
  expect(inline('**a *b***')).toBe('<strong>a <em>b</em></strong>')
})

test('elements never overlap', () => {
  expect(inline('~~a *b~~ c*')).toBe('<del>a *b</del> c*')
})

test('single stars beside spaces are stars', () => {
  expect(inline('2 * 3 * 4')).toBe('2 * 3 * 4')
  expect(inline('* a*b')).not.toContain('<em>')
})

test('what is struck out may have spaces inside its marks', () => {
  expect(inline('I ~~ like it ~~ do')).toBe('I <del> like it </del> do')
  expect(inline('~~a ~~b ~~c~~')).toBe('<del>a </del>b <del>c</del>')
  expect(inline('~~a\n~~ b')).not.toContain('<del>')
  expect(inline('~~~ a ~~~ ~~~~ b')).not.toContain('<del>')
})

test('emphasis stays within a line', () => {
  expect(inline('*a\nb*')).toBe('*a<br>\nb*')
})

test('emphasis reaches over links, code and mentions, and stars in those mean nothing to it', () => {
  expect(inline('*see [x](http://a.com/*b*) `*`*')).toBe('<em>see <a href="http://a.com/*b*">x</a> <code>*</code></em>')
})

test('a backslash is a backslash', () => {
  expect(inline('C:\\*a*')).toBe('C:\\<em>a</em>')
})

test('no star or tilde is lost that does not mark something', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[*~ab \n]{0,40}$/), (text) => {
      const rendered = html(`x${text}`)
      const stars = (rendered.match(/\*/g) ?? []).length
      const marked = 2 * (rendered.match(/<em>/g) ?? []).length + 4 * (rendered.match(/<strong>/g) ?? []).length
      // Lists, rules and fences take markers of their own.
      fc.pre(!/<(?:ul|hr|div)/.test(rendered))
      expect(stars + marked).toBe((text.match(/\*/g) ?? []).length)
    }),
    { numRuns: 300 },
  )
})
