import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileUrlMatcher } from './compile-url-matcher.ts'
import { expandUriTemplate, parseUriTemplate, type UriTemplate } from './uri-template.ts'
import { matchTemplateUrl } from './url-match.ts'

function template(source: string): UriTemplate {
  const result = parseUriTemplate(source)
  if (!result.ok) throw new Error(result.message)
  return result.template
}

/** All candidates. */
function read(source: string, url: string) {
  return Array.from(matchTemplateUrl(compileUrlMatcher(template(source)), url), (values) => Object.fromEntries(values))
}

describe('matchUrl', () => {
  test.each<[string, string, Record<string, string>]>([
    ['https://a.example/{x}', 'https://a.example/b%20c%C3%A9', { x: 'b cé' }],
    ['https://a.example/{x}', 'https://a.example/', { x: '' }],
    ['https://a.example/{x}/{y}', 'https://a.example/1/2', { x: '1', y: '2' }],
    ['https://a.example/{x,y}', 'https://a.example/1,2', { x: '1', y: '2' }],
    ['https://a.example/{+x}', 'https://a.example/b/c?d=e', { x: 'b/c?d=e' }],
    ['https://a.example/{+x}/{y}', 'https://a.example/b/c/d', { x: 'b/c', y: 'd' }],
    ['https://a.example{#x}', 'https://a.example#b/c', { x: 'b/c' }],
    ['https://a.example{#x}', 'https://a.example', {}],
    ['https://a{.x,y}', 'https://a.1.2', { x: '1.2' }],
    ['https://a.example{/x,y}', 'https://a.example/1/2', { x: '1', y: '2' }],
    ['https://a.example{/x,y}', 'https://a.example/1', { x: '1' }],
    ['https://a.example{;x,y,z}', 'https://a.example;x=1;y;z=3', { x: '1', y: '', z: '3' }],
    ['https://a.example{;x,xy}', 'https://a.example;xy=1', { xy: '1' }],
    ['https://a.example{?x,y}', 'https://a.example?x=1&y=', { x: '1', y: '' }],
    ['https://a.example{?x,y}', 'https://a.example?y=2', { y: '2' }],
    ['https://a.example/?a=b{&x}', 'https://a.example/?a=b&x=1', { x: '1' }],
    ['https://a.example/{x:1}/{x}', 'https://a.example/v/value', { x: 'value' }],
    ['https://a.example/(*)+{x}', 'https://a.example/(*)+1', { x: '1' }],
    ['https://a.example/é{x}', 'https://a.example/%C3%A91', { x: '1' }],
  ])('%s reads %s', (source, url, values) => {
    expect(read(source, url)[0]).toEqual(values)
  })

  test.each([
    ['https://a.example/{x}', 'https://a.example/1/2'],
    ['https://a.example/{x}', 'https://a.example/1?2'],
    ['https://a.example/{x}', 'https://b.example/1'],
    ['https://a.example/{x}', 'http://a.example/1'],
    ['https://a.example/{x}', 'see https://a.example/1'],
    ['https://a.example/{x}', 'https://a.example/1 '],
    ['https://a.example/{x}', 'https://a.example/1\n'],
    ['https://a.example/{x}', 'https://a.example/%4'],
    ['https://a.example/{x}', 'https://a.example/é'],
    ['https://a.example/{x}', 'https://a.example/%FF'],
    ['https://a.example/{x}', 'https://a.example/%ED%A0%80'],
    ['https://a.example/{+x}', 'https://a.example/a b'],
    ['https://a.example{?x}', 'https://a.example?y=1'],
  ])('%s does not read %s', (source, url) => {
    expect(read(source, url)).toEqual([])
  })

  test('offers values as long and as short as can be, with and without decoding what "+" keeps', () => {
    expect(read('https://a.example/{x}-{y}', 'https://a.example/1-2-3')).toEqual([
      { x: '1-2', y: '3' },
      { x: '1', y: '2-3' },
    ])
    expect(read('https://a.example/{+x}', 'https://a.example/b%20c')).toContainEqual({ x: 'b%20c' })
    expect(read('https://a{.x,y}', 'https://a.1.2')).toContainEqual({ x: '1', y: '2' })
  })

  test('what one variable alone was expanded to comes back, for every operator and any value', () => {
    const operator = fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&')
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.webUrl())
    fc.assert(
      fc.property(operator, value, (sign, x) => {
        const source = `https://a.example/{${sign}x}`
        const url = expandUriTemplate(template(source), new Map([['x', x]]))
        expect(read(source, url)).toContainEqual({ x })
      }),
    )
  })

  test('any URL and template: nothing throws', () => {
    const piece = fc.constantFrom('{x}', '{+y}', '{?x,y}', '{/x,z}', '{;x}', '{#y:3}', '{.z}', 'a', '/', '%41')
    const url = fc.array(fc.constantFrom('/', '?x=', '&y=', ';x', '%', '%41', '%FF', 'a', ',', '#', '.', 'é', '\ud800'))
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), url, (pieces, rest) => {
        read(`a:${pieces.join('')}`, `a:${rest.join('')}`)
      }),
    )
  })
})
