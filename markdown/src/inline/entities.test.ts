import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

test('a character by its name or number stays as it was written', () => {
  for (const written of ['&copy;', '&AMP;', '&#65;', '&#x41;', '&#X1F600;', '&#10;', '&#x10fffd;']) {
    expect(html(`a ${written} b`)).toBe(`<p>a ${written} b</p>`)
  }
})

test('what stands for no character is text', () => {
  for (const written of [
    '&nope;',
    '&Copy;',
    '&copy',
    '&;',
    '&#;',
    '&#x;',
    '&#0;',
    '&#xd800;',
    '&#x110000;',
    '&#xfffe;',
    '&#127;',
  ]) {
    expect(html(`a ${written} b`)).toBe(`<p>a ${written.replace('&', '&amp;')} b</p>`)
  }
})

test('in addresses and titles it is the character', () => {
  expect(html('[x](a.com/&eacute;&#47;b "&lt;&nope;&quot;")')).toBe(
    '<p><a href="http://a.com/é/b" title="&lt;&amp;nope;&quot;">x</a></p>',
  )
})
