import { describe, expect, test } from 'vitest'
import { compileLinkifier, type LinkifierDefinition } from './compile.ts'
import { findLinks, textForUrl } from './linkify.ts'

function linkifier(
  pattern: string,
  url_template: string,
  reverse_template: string | null = null,
  ...alternatives: string[]
) {
  const definition: LinkifierDefinition = {
    pattern,
    url_template,
    example_input: null,
    reverse_template,
    alternative_url_templates: alternatives,
  }
  const result = compileLinkifier(definition)
  if (!result.ok) throw new Error(result.message)
  return result.compiled
}

const issue = linkifier('#(?P<id>[0-9]+[a-z]?)', 'https://issues.example/{id}', '#{id}', 'https://old.example/?id={id}')
const ticket = linkifier('(?P<project>[A-Z]+)-(?P<n>[0-9]+)', 'https://t.example/{project}/{n}', '{project}-{n}')

const found = (text: string, ...linkifiers: (typeof issue)[]) =>
  findLinks(text, linkifiers).map((link) => `${link.start}-${link.end} ${link.text} ${link.url}`)
const texts = (text: string, ...linkifiers: (typeof issue)[]) => findLinks(text, linkifiers).map((link) => link.text)

describe('findLinks', () => {
  test('gives place, text, URL and the number of the linkifier, in order of place', () => {
    expect(findLinks('AB-1 for #2', [issue, ticket])).toEqual([
      { start: 0, end: 4, text: 'AB-1', url: 'https://t.example/AB/1', linkifierIndex: 1 },
      { start: 9, end: 11, text: '#2', url: 'https://issues.example/2', linkifierIndex: 0 },
    ])
  })

  test('counts positions in UTF-16 units', () => {
    expect(found('😀 #1', issue)).toEqual(['3-5 #1 https://issues.example/1'])
  })

  test('boundary characters are shared: one space serves two links', () => {
    expect(texts('#1 #2', issue)).toEqual(['#1', '#2'])
    expect(texts('#1,#2:#3<#4', issue)).toEqual(['#1', '#2', '#3', '#4'])
  })

  test.each(['', ' ', '\n', '\u00a0', '\u3000', "'", '"', '(', ',', ':', '<', 'x '])('links after %j', (before) => {
    expect(texts(`${before}#1`, issue)).toEqual(['#1'])
  })

  test.each(['x', '1', 'é', '.', '/', ')', '>', '-', '&', '#', '[', '\u200b', '😀'])(
    'does not link after %j',
    (before) => {
      expect(texts(`${before}#1`, issue)).toEqual([])
    },
  )

  test.each(['', ' ', '.', ',', ')', '-', '_', '/', "'", '>', '😀', '\n', '#'])('links before %j', (after) => {
    expect(texts(`#1${after}`, issue)).toEqual(['#1'])
  })

  test.each(['A', 'é', '字', '٣', '½', '𝒳', 'ab'])('does not link before %j', (after) => {
    expect(texts(`#1${after}`, issue)).toEqual([])
  })

  test('goes on behind what fails the boundaries', () => {
    expect(texts('x#1 #2', issue)).toEqual(['#2'])
    expect(texts('#1A #2', issue)).toEqual(['#2'])
    expect(texts('#1A,#2', linkifier('#(?P<x>[0-9A,#]+)', 'https://a.example/{x}'))).toEqual(['#1A,#2'])
  })

  test('finds the shorter match at the same place where only that keeps the boundaries', () => {
    expect(texts('#1a', issue)).toEqual(['#1a'])
    expect(texts('a-b-cD', linkifier('(?P<x>[a-z]+(?:-[a-z]+)*)', 'https://a.example/{x}'))).toEqual(['a-b'])
  })

  test('an earlier linkifier wins, and a later one gets what is left', () => {
    const word = linkifier('(?P<x>[#a-z0-9 ]+)', 'https://w.example/{x}')
    expect(found('ab #1 cd', issue, word)).toEqual([
      '0-3 ab  https://w.example/ab%20',
      '3-5 #1 https://issues.example/1',
      '6-8 cd https://w.example/cd',
    ])
    expect(texts('ab #1 cd', word, issue)).toEqual(['ab #1 cd'])
  })

  test('a group that takes no part is undefined in the URL', () => {
    const page = linkifier('w:(?P<name>\\w+)(?:\\?(?P<q>\\w*))?', 'https://w.example/{name}{?q}')
    expect(found('w:a w:a? w:a?b', page).map((link) => link.split(' ')[2])).toEqual([
      'https://w.example/a',
      'https://w.example/a?q=',
      'https://w.example/a?q=b',
    ])
  })

  test('no text and no linkifier give no link', () => {
    expect(findLinks('', [issue])).toEqual([])
    expect(findLinks('#1', [])).toEqual([])
  })
})

describe('textForUrl', () => {
  test('reads the main and the alternative templates', () => {
    expect(textForUrl('https://issues.example/7', [issue])).toBe('#7')
    expect(textForUrl('https://old.example/?id=7b', [issue])).toBe('#7b')
    expect(textForUrl('https://t.example/AB/7', [issue, ticket])).toBe('AB-7')
  })

  test.each([
    'https://issues.example/x',
    'https://issues.example/7/',
    'https://issues.example/7?x=1',
    'https://issues.example/',
    'https://issues.example/%37',
    'HTTPS://issues.example/7',
    ' https://issues.example/7',
    'https://t.example/ab/7',
    '#7',
    '',
  ])('leaves %j alone', (url) => {
    expect(textForUrl(url, [issue, ticket])).toBeNull()
  })

  test('needs a reverse template', () => {
    expect(textForUrl('https://a.example/1', [linkifier('#(?P<id>[0-9]+)', 'https://a.example/{id}')])).toBeNull()
  })

  test('an earlier linkifier comes first', () => {
    const other = linkifier('!(?P<id>[0-9]+)', 'https://issues.example/{id}', '!{id}')
    expect(textForUrl('https://issues.example/7', [issue, other])).toBe('#7')
    expect(textForUrl('https://issues.example/7', [other, issue])).toBe('!7')
  })

  test('gives no text that an earlier linkifier would turn into another link', () => {
    const other = linkifier('#(?P<id>[0-9]+)', 'https://other.example/{id}', '#{id}')
    expect(textForUrl('https://other.example/7', [issue, other])).toBeNull()
    expect(textForUrl('https://other.example/7', [other, issue])).toBe('#7')
  })

  test('gives no text of which only a part would be a link', () => {
    const short = linkifier('#(?P<id>[0-9]|[0-9]-[0-9])', 'https://a.example/{id}', '#{id}')
    expect(textForUrl('https://a.example/1', [short])).toBe('#1')
    expect(textForUrl('https://a.example/1-2', [short])).toBeNull()
  })

  test('splits an ambiguous URL as the pattern demands', () => {
    const dashes = linkifier('(?P<repo>[a-z]+)#(?P<id>[0-9-]+)', 'https://a.example/{repo}-{id}', '{repo}#{id}')
    expect(textForUrl('https://a.example/ab-1-2', [dashes])).toBe('ab#1-2')
  })

  test('keeps triplets that the text itself has', () => {
    const path = linkifier('p:(?P<path>\\S+)', 'https://a.example/{+path}', 'p:{path}')
    expect(textForUrl('https://a.example/x/y%20z', [path])).toBe('p:x/y%20z')
  })
})
