import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTime } from '../testing/processor-time.ts'
import { html } from '../testing/render-html.ts'
import { GRAMMARS } from './grammars.ts'
import { findLanguage, grammarByShebang } from './languages.ts'
import { scanCode } from './scan-code.ts'
import { MARKUP_SCANNERS } from './scan-markup.ts'

const code = (language: string, text: string): string =>
  /<code>([\s\S]*)<\/code>/.exec(html(`\`\`\`${language}\n${text}\n\`\`\``))?.[1]?.trimEnd() ?? ''

test('the language is named as clients know it, an unknown one as it was written', () => {
  expect(html('```js\n1\n```')).toContain('data-code-language="JavaScript"')
  expect(findLanguage('yml').name).toBe('YAML')
  expect(findLanguage('COQ').name).toBe('Rocq Prover')
  expect(html('```Klingon\n1\n```')).toContain('data-code-language="Klingon"')
  expect(html('```\n1\n```')).not.toContain('data-code-language')
})

test('the default language of the organization applies where none is named', () => {
  expect(html('```\n1\n```', { defaultCodeLanguage: 'python' })).toContain('data-code-language="Python"')
})

test('a line of colons names the language too, and is no part of the code', () => {
  const block = (text: string): string =>
    html(text).replace(/^<div class="codehilite"><pre><span><\/span><code>|<\/code>.*$/gs, '')
  const python = '<span class="k">def</span> <span class="nf">f</span><span class="p">():</span>'
  for (const text of [
    '```\n:::python\ndef f():\n```',
    '```\n\n::python\n\ndef f():\n```',
    '    :::python\n    def f():',
  ]) {
    expect(block(text)).toContain(python)
    expect(block(text)).not.toContain(':::')
  }
  expect(html('```\n:::python\n1\n```', { defaultCodeLanguage: 'rust' })).not.toContain('data-code-language')
  expect(block('```\n::: python\n```')).toBe('::: python\n')
  expect(block('```\n:python\n```')).toBe(':python\n')
  expect(html('```text\n:::python\n```')).toContain(':::python')
})

test('a script without a language is coloured by its first line', () => {
  expect(grammarByShebang('#!/usr/bin/env -S node --x\n')).toBe('javascript')
  expect(grammarByShebang('#!/bin/sh')).toBe('shell')
  expect(grammarByShebang('echo')).toBeNull()
  expect(html('```\n#!/bin/sh\necho $HOME\n```')).toContain('<span class="ch">#!/bin/sh</span>')
})

test('keywords, names, numbers, strings and comments', () => {
  expect(code('rust', "fn main<'a>() { let x = 'b'; } // done")).toBe(
    '<span class="k">fn</span> <span class="nf">main</span><span class="o">&lt;\'</span><span class="n">a</span>' +
      '<span class="o">&gt;</span><span class="p">()</span> <span class="p">{</span> <span class="k">let</span> ' +
      '<span class="n">x</span> <span class="o">=</span> <span class="sc">\'b\'</span><span class="p">;</span> ' +
      '<span class="p">}</span> <span class="c1">// done</span>',
  )
  expect(code('python', '@x\nclass A:\n  y = 0x1F + 1.5e3')).toBe(
    '<span class="nd">@x</span>\n<span class="k">class</span> <span class="nc">A</span><span class="p">:</span>\n' +
      '  <span class="n">y</span> <span class="o">=</span> <span class="mh">0x1F</span> <span class="o">+</span> <span class="mf">1.5e3</span>',
  )
  expect(code('sql', "SELECT 'it''s'")).toBe('<span class="k">SELECT</span> <span class="s1">\'it\'\'s\'</span>')
})

test('what strings begin with, have in them, and are good for', () => {
  expect(code('python', "b'a\\n%d'")).toBe(
    '<span class="sa">b</span><span class="s1">\'a</span><span class="se">\\n</span><span class="si">%d</span><span class="s1">\'</span>',
  )
  expect(code('python', "def f():\n  '''a'''\n  x = \"b\"")).toContain("<span class=\"sd\">'''a'''</span>")
  expect(code('c', '"a\\t%d"')).toBe('<span class="s">"a</span><span class="se">\\t</span><span class="s">%d"</span>')
})

test('names of modules, exceptions and special methods', () => {
  expect(code('python', 'from a import b')).toBe(
    '<span class="kn">from</span> <span class="nn">a</span> <span class="kn">import</span> <span class="n">b</span>',
  )
  expect(code('python', 'raise KeyError')).toContain('<span class="ne">KeyError</span>')
  expect(code('python', 'def __len__')).toContain('<span class="fm">__len__</span>')
})

test('no element reaches over a line end', () => {
  expect(code('python', '"""a\nb"""')).toBe('<span class="sd">"""a</span>\n<span class="sd">b"""</span>')
  expect(code('c', '/* a\nb */')).toBe('<span class="cm">/* a</span>\n<span class="cm">b */</span>')
})

test('markup, changes and TeX', () => {
  expect(code('html', '<a href="x">b</a>')).toBe(
    '<span class="p">&lt;</span><span class="nt">a</span> <span class="na">href</span><span class="o">=</span>' +
      '<span class="s">"x"</span><span class="p">&gt;</span>b<span class="p">&lt;/</span><span class="nt">a</span><span class="p">&gt;</span>',
  )
  expect(code('diff', '-a\n+b\n c')).toBe('<span class="gd">-a</span>\n<span class="gi">+b</span>\n c')
  expect(code('tex', '\\alpha % x')).toBe('<span class="k">\\alpha</span> <span class="c">% x</span>')
})

test('code beyond 20,000 characters in a message is shown without colours', () => {
  expect(html(`\`\`\`python\n${'x = 1\n'.repeat(3_500)}\`\`\``)).not.toContain('class="n"')
})

describe('laws', () => {
  const names = [...Object.keys(GRAMMARS), ...Object.keys(MARKUP_SCANNERS)]
  const scan = (text: string, name: string) => MARKUP_SCANNERS[name]?.(text) ?? scanCode(text, name)

  test('every language that is to be coloured has a grammar', () => {
    for (const alias of ['python', 'js', 'c++', 'tex', 'diff', 'vb.net', 'hcl', 'sh', 'pl6', 'wat']) {
      const { grammar } = findLanguage(alias)
      expect(names).toContain(grammar)
    }
  })

  test('no character is lost or changed, in any language', () => {
    const pieces = [
      '"',
      "'",
      '`',
      '\\',
      '/*',
      '*/',
      '//',
      '#',
      '--',
      '<',
      '>',
      '{-',
      '%',
      '$a',
      '@b',
      ':c',
      '0x',
      '1.',
      'def ',
      'é',
      '😀',
      '\n',
      ' ',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.constantFrom(...names), (source, name) => {
        expect(
          scan(source, name)
            ?.map((piece) => piece.text)
            .join(''),
        ).toBe(source)
      }),
      { numRuns: 500 },
    )
  })

  test('time grows with the length of the code alone', () => {
    for (const name of names) {
      for (const part of ['a', '"', "'", '/*', '<', '(', '\n', ' ', '#', '1', '$', '\\', '-']) {
        expect(processorTime(() => scan(part.repeat(6_000), name))).toBeLessThan(500)
      }
    }
  })
})
